'use client'

import { PublicFrame } from '@/components/layout/public-frame'
import { ErrorState } from '@/components/ui/error-state'

export default function RoomFailed({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <PublicFrame>
      <ErrorState title="The review could not be opened" requestId={error.digest} onRetry={reset}>
        Nothing you decided is lost. Try again in a moment.
      </ErrorState>
    </PublicFrame>
  )
}
