'use client'

import { ErrorState } from '@/components/ui/error-state'
import { LinkButton } from '@/components/ui/link-button'

/** What an `error.tsx` shows. `digest` is the reference under which the server logged the fault. */
export function ScreenError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <ErrorState
      framed={false}
      title={<h1>This screen could not be shown</h1>}
      requestId={error.digest}
      onRetry={reset}
      action={<LinkButton href="/">Go to the start</LinkButton>}
      className="flex-1"
    >
      Greenroom had a fault while preparing it. What you saved is safe. Try again; if it keeps failing, contact your
      administrator the reference below.
    </ErrorState>
  )
}
