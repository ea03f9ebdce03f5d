import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { fontVariables } from './fonts'
import './globals.css'
import { Providers } from './providers'

export const metadata: Metadata = {
  title: { default: 'Greenroom', template: '%s · Greenroom' },
  description: 'Quality control for creative files, from agency upload to approval.',
  applicationName: 'Greenroom',
  // A workspace and its upload links concern no one outside.
  robots: { index: false, follow: false },
  // Upload links carry their token in the path: it must not travel to other sites.
  referrer: 'strict-origin-when-cross-origin',
  formatDetection: { telephone: false, date: false, address: false, email: false },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8faf9' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1111' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Set by the web server for this response. Reading it renders every page anew, as its nonce demands.
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1]
  return (
    // next-themes writes the scheme's class before hydration.
    <html lang="en" className={fontVariables} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  )
}
