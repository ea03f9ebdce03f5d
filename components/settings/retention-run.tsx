'use client'

import { Eye } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { RetentionRun } from '@/lib/domain/retention/schema'
import { formatBytes, formatCount } from '@/lib/format'

/** Finds out what the rules would remove now, and shows it. */
export function PreviewButton() {
  const router = useRouter()
  const preview = useApiMutation({
    request: () => apiRequest('POST /api/retention-runs', { body: {} }),
    onSuccess: (run) => router.push(`/settings/retention/runs/${run.id}`),
  })
  return (
    <Button variant="primary" loading={preview.isPending} onClick={() => preview.mutate()}>
      <Eye />
      Preview a run
    </Button>
  )
}

/** Starts the run that a preview showed. */
export function StartRunButton({ run }: { run: RetentionRun }) {
  const start = useApiMutation({
    request: () => apiRequest('POST /api/retention-runs/{run_id}/start', { params: { run_id: run.id }, body: {} }),
    success: 'The run has started',
    onProblem: () => {},
  })
  const { files, bytes, previews, activity } = run.totals
  return (
    <ConfirmDialog
      title={`Remove what this preview shows?`}
      confirmLabel="Start the run"
      tone="danger"
      typeToConfirm={`remove ${files}`}
      onConfirm={() => start.mutateAsync()}
      trigger={<Button variant="danger">Start the run</Button>}
    >
      <p>
        The bytes of {formatCount(files, 'file')} ({formatBytes(bytes)}), the previews and evidence of{' '}
        {formatCount(previews, 'file')} and {formatCount(activity, 'notification')} go. This cannot be undone.
      </p>
      <p className="mt-2">Names, hashes, verdicts, decisions and the audit trail stay.</p>
    </ConfirmDialog>
  )
}
