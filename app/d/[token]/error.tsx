'use client'

import { PublicFrame } from '@/components/layout/public-frame'
import { ErrorState } from '@/components/ui/error-state'

export default function ShareFailed({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <PublicFrame>
      <ErrorState title="The files could not be shown" requestId={error.digest} onRetry={reset}>
        Nothing is wrong with your link. Try again in a moment.
      </ErrorState>
    </PublicFrame>
  )
}
