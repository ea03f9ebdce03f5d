'use client'

import { PublicFrame } from '@/components/layout/public-frame'
import { ErrorState } from '@/components/ui/error-state'

export default function CertificateFailed({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <PublicFrame>
      <ErrorState title="The certificate could not be looked up" requestId={error.digest} onRetry={reset}>
        This says nothing about the certificate. Try again in a moment.
      </ErrorState>
    </PublicFrame>
  )
}
