'use client'

import { ErrorState } from '@/components/ui/error-state'
import { LinkButton } from '@/components/ui/link-button'

/** A screen that failed. `digest` is the reference under which the server logged the fault. */
export default function ScreenError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="grid min-h-[70dvh] place-items-center p-6">
      <ErrorState
        framed={false}
        title="This screen could not be shown"
        requestId={error.digest}
        onRetry={reset}
        action={<LinkButton href="/">Go to the start</LinkButton>}
      >
        Greenroom had a fault while preparing it. What you saved is safe. Try again; if it keeps failing, tell your
        administrator the reference below.
      </ErrorState>
    </main>
  )
}
