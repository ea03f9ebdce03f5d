'use client'

import { fontVariables } from './fonts'
import './globals.css'

/** The last resort, when even the root layout failed: stands alone, without providers. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={fontVariables}>
      <body>
        <title>Fault · Greenroom</title>
        <main className="grid min-h-dvh place-items-center p-6">
          <div role="alert" className="flex max-w-md flex-col items-center text-center">
            <h1 className="text-xl font-semibold">Greenroom could not start this page</h1>
            <p className="mt-1.5 text-base text-ink-muted">What you saved is safe. Try again in a moment.</p>
            {/* Opens this address anew, which needs no script to work. */}
            <a
              href="?"
              className="mt-5 inline-flex h-8 items-center rounded-md bg-accent px-3 text-sm font-medium text-on-accent hover:bg-accent-hover"
            >
              Try again
            </a>
            {error.digest && (
              <p className="mt-4 text-xs text-ink-subtle">
                Reference <code>{error.digest}</code>
              </p>
            )}
          </div>
        </main>
      </body>
    </html>
  )
}
