'use client'

import { Check, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { RerunButton } from '@/components/pre-qc/rerun-button'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { ApiProblem, api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { whyNotApprovable } from '@/lib/domain/files/rules'
import type { FileSummary } from '@/lib/domain/files/schema'
import { formatCount } from '@/lib/format'
import type { FilePowers } from './file-panel'
import { type Rejection, RejectionForm } from './reject-dialog'
import { MOST_SELECTED, type Selection } from './use-selection'

const UNDO_MS = 10_000
/** Files a dialog names; a longer list is cut. */
const MOST_NAMED = 8

/** What can be done with all files that are selected. What cannot be done to which of them is said before. */
export function SelectionBar({
  selection,
  total,
  powers,
}: {
  selection: Selection
  /** How many files the filters leave. */
  total: number
  powers: FilePowers
}) {
  const [dialog, setDialog] = useState<'approve' | 'reject' | 'delete' | null>(null)
  const [left, setLeft] = useState<readonly { file: { id: string; name: string }; reason: string }[]>([])
  const { files } = selection
  const params = { project_id: powers.projectId, batch_id: powers.batchId }
  const close = () => setDialog(null)

  const undo = useApiMutation({
    request: (file_ids: string[]) =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/review/undo', { params, body: { file_ids } }),
    success: ({ files: undone }) => `Taken back: ${formatCount(undone.length, 'file')}`,
  })
  const review = useApiMutation({
    request: ({
      file_ids,
      ...verdict
    }: { file_ids: string[] } & ({ decision: 'approve' } | ({ decision: 'reject' } & Rejection))) =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/review', {
        params,
        body: {
          file_ids,
          ...verdict,
          expected_decisions: Object.fromEntries(files.map((file) => [file.id, file.decision])),
        },
      }),
    onSuccess: ({ files: decided, left }, { decision }) => {
      close()
      selection.clear()
      setLeft(left)
      if (decided.length === 0) return
      toast.success(`${formatCount(decided.length, 'file')} ${decision === 'approve' ? 'approved' : 'rejected'}`, {
        duration: UNDO_MS,
        action: { label: 'Undo', onClick: () => undo.mutate(decided.map(({ id }) => id)) },
      })
    },
  })
  const notice = left.length > 0 && (
    <Callout
      tone="warn"
      title={`${formatCount(left.length, 'file')} not decided by you`}
      actions={
        <Button size="sm" onClick={() => setLeft([])}>
          Understood
        </Button>
      }
    >
      <ul>
        {left.slice(0, MOST_NAMED).map(({ file, reason }) => (
          <li key={file.id} className="wrap-anywhere">
            “{file.name}”: {reason}
          </li>
        ))}
        {left.length > MOST_NAMED && <li>and {left.length - MOST_NAMED} more</li>}
      </ul>
    </Callout>
  )
  if (files.length === 0) return notice || null

  const blocked = files.flatMap((file) => {
    const why = whyNotApprovable(file) ?? (file.decision === 'approved' ? `“${file.name}” is approved already.` : null)
    return why ? [{ file, why }] : []
  })
  const approvable = files.filter((file) => !blocked.some((each) => each.file === file))
  const approve = () => review.mutateAsync({ file_ids: idsOf(approvable), decision: 'approve' })
  const rerunnable = files.filter(({ pre_qc }) => pre_qc && pre_qc.status !== 'queued' && pre_qc.status !== 'running')

  /** One after the other: each is refused by itself. */
  async function remove() {
    const left: string[] = []
    for (const { id, name } of files) {
      await api('DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}', {
        params: { ...params, file_id: id },
      }).catch((error) => {
        if (!(error instanceof ApiProblem)) throw error
        left.push(`${name}: ${error.message}`)
      })
    }
    selection.clear()
    if (left.length < files.length) toast.success(`${formatCount(files.length - left.length, 'file')} deleted`)
    if (left.length > 0)
      toast.error(`${formatCount(left.length, 'file')} could not be deleted. ${left.slice(0, 3).join(' ')}`)
  }

  return (
    <>
      {notice}
      <section
        aria-label="Selected files"
        className="sticky bottom-3 z-3 flex print:hidden flex-wrap items-center gap-2 rounded-xl border border-line-strong bg-raised px-3 py-2 shadow-lg max-sm:bottom-20"
      >
        <span className="mr-auto text-sm font-medium tabular-nums" aria-live="polite">
          {formatCount(files.length, 'file')} selected
          {files.length === MOST_SELECTED && total > MOST_SELECTED && (
            <span className="font-normal text-ink-muted">, the most at once</span>
          )}
        </span>
        {powers.mayRerun && rerunnable.length > 0 && (
          <RerunButton batch={params} variant="ghost" fileIds={idsOf(rerunnable)} onDone={selection.clear}>
            Run again
          </RerunButton>
        )}
        {powers.mayDelete && (
          <Button variant="danger-ghost" size="sm" onClick={() => setDialog('delete')}>
            <Trash2 />
            Delete
          </Button>
        )}
        {powers.mayReview && (
          <>
            <Button size="sm" onClick={() => setDialog('reject')}>
              <X />
              Reject
            </Button>
            <Button
              variant="primary"
              size="sm"
              loading={review.isPending}
              disabled={approvable.length === 0}
              title={approvable.length === 0 ? 'None of them can be approved' : undefined}
              onClick={() =>
                blocked.length > 0
                  ? setDialog('approve')
                  : review.mutate({ file_ids: idsOf(approvable), decision: 'approve' })
              }
            >
              <Check />
              Approve
            </Button>
          </>
        )}
        <IconButton label="Clear the selection" size="sm" icon={<X />} onClick={selection.clear} />
        <ConfirmDialog
          open={dialog === 'approve'}
          onOpenChange={(isOpen) => !isOpen && close()}
          title={`Approve ${approvable.length} of ${files.length} files?`}
          confirmLabel={`Approve ${formatCount(approvable.length, 'file')}`}
          tone="primary"
          onConfirm={approve}
        >
          <p>Not approved by this:</p>
          <ul className="mt-1 list-disc pl-5">
            {blocked.slice(0, MOST_NAMED).map(({ file, why }) => (
              <li key={file.id} className="wrap-anywhere">
                {why}
              </li>
            ))}
            {blocked.length > MOST_NAMED && <li>and {blocked.length - MOST_NAMED} more</li>}
          </ul>
        </ConfirmDialog>
        <ConfirmDialog
          open={dialog === 'delete'}
          onOpenChange={(isOpen) => !isOpen && close()}
          title={`Delete ${formatCount(files.length, 'file')}?`}
          confirmLabel="Delete for good"
          onConfirm={remove}
        >
          <ul className="list-disc pl-5">
            {files.slice(0, MOST_NAMED).map(({ id, name }) => (
              <li key={id} className="wrap-anywhere">
                {name}
              </li>
            ))}
            {files.length > MOST_NAMED && <li>and {files.length - MOST_NAMED} more</li>}
          </ul>
          <p className="mt-2">This cannot be undone.</p>
        </ConfirmDialog>
        {dialog === 'reject' && (
          <RejectionForm
            what={files.length === 1 ? `“${files[0]?.name}”` : `${files.length} files`}
            isPending={review.isPending}
            reject={(said) => review.mutate({ file_ids: idsOf(files), decision: 'reject', ...said })}
            close={close}
          />
        )}
      </section>
    </>
  )
}

const idsOf = (files: readonly FileSummary[]) => files.map(({ id }) => id)
