'use client'

import { Award } from 'lucide-react'
import { Button } from '@/components/ui/button'
import type { ButtonStyle } from '@/components/ui/button-styles'
import { CopyField } from '@/components/ui/code-block'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { AnchorButton } from '@/components/ui/link-button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Batch } from '@/lib/domain/batches/schema'

/** The certificate of an approved batch: issued when it is first asked for, to keep as PDF and JSON. */
export function CertificateButton({ batch, variant }: { batch: Pick<Batch, 'id' | 'project_id'> } & ButtonStyle) {
  const path = `/api/projects/${batch.project_id}/batches/${batch.id}/certificate` as const
  const issue = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/certificate', {
        params: { project_id: batch.project_id, batch_id: batch.id },
        body: {},
      }),
    refresh: false,
  })
  const { statement, key_id } = issue.data ?? {}
  return (
    <>
      <Button variant={variant} onClick={() => issue.mutate()} loading={issue.isPending}>
        <Award />
        Certificate
      </Button>
      <Dialog
        open={statement !== undefined}
        onOpenChange={(open) => !open && issue.reset()}
        title="Certificate of approval"
        description="Names every approved file by its SHA-256, and is signed. Anyone with a file can ask whether it is the one."
      >
        <DialogBody className="flex flex-col gap-4">
          <div className="flex flex-wrap gap-2">
            <AnchorButton href={`${path}/pdf`} variant="primary">
              Download PDF
            </AnchorButton>
            <AnchorButton href={path} download={`certificate-${statement?.id}.json`}>
              Download JSON
            </AnchorButton>
          </div>
          <CopyField value={statement?.verification_url ?? ''} label="address of the verification page" />
          <p className="text-sm text-ink-muted">
            Signed by key <code className="font-mono text-xs">{key_id}</code>. On a command line:{' '}
            <code className="font-mono text-xs">npm run verify -- certificate.json file</code>
          </p>
        </DialogBody>
      </Dialog>
    </>
  )
}
