'use client'

import { PublicFrame } from '@/components/layout/public-frame'
import { ErrorState } from '@/components/ui/error-state'

export default function ScorecardFailed({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <PublicFrame>
      <ErrorState title="The scorecard could not be opened" requestId={error.digest} onRetry={reset}>
        Nothing is lost by this. Try again in a moment.
      </ErrorState>
    </PublicFrame>
  )
}
