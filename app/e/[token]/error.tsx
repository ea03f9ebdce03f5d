'use client'

import { ClientFrame } from '@/components/estimate-client/frame'
import { ErrorState } from '@/components/ui/error-state'

export default function EstimateFailed({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <ClientFrame>
      <ErrorState title="The estimate could not be opened" requestId={error.digest} onRetry={reset}>
        Nothing was decided by this. Try again in a moment.
      </ErrorState>
    </ClientFrame>
  )
}
