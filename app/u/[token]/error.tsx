'use client'

import { PublicFrame } from '@/components/layout/public-frame'
import { ErrorState } from '@/components/ui/error-state'

export default function LinkFailed({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <PublicFrame>
      <ErrorState title="The upload page could not be opened" requestId={error.digest} onRetry={reset}>
        Your link is not used up by this. Try again in a moment.
      </ErrorState>
    </PublicFrame>
  )
}
