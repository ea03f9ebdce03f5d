'use client'

import { Page } from '@/components/layout/page'
import { ErrorState } from '@/components/ui/error-state'

/** A screen that failed; the shell around it stays usable. */
export default function WorkspaceError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Page crumbs={[]}>
      <ErrorState requestId={error.digest} onRetry={reset} />
    </Page>
  )
}
