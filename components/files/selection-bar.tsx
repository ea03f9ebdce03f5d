'use client'

import { BadgeCheck, Check, ChevronDown, Download, FolderInput, RotateCw, Trash2, X } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useRerun } from '@/components/pre-qc/rerun-button'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import { SelectionFrame } from '@/components/ui/selection-frame'
import { ApiProblem, api, apiRequest } from '@/lib/client/api'
import { toast } from '@/lib/client/toast'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'
import type { CheckedSelection, FileSummary } from '@/lib/domain/files/schema'
import { whyNotApprovable } from '@/lib/domain/files/states'
import { formatBytes, formatCount } from '@/lib/format'
import { NamedFew } from './named-few'
import type { FilePowers } from './powers'
import type { Rejection } from './reject-dialog'
import { MOST_SELECTED, type Selection } from './use-selection'

const RejectionForm = dynamic(() => import('./reject-dialog').then((module) => module.RejectionForm), {
  loading: () => null,
})
const ApproveSome = dynamic(() => import('./selection-dialogs').then((module) => module.ApproveSome), {
  loading: () => null,
})
const DeleteAll = dynamic(() => import('./selection-dialogs').then((module) => module.DeleteAll), {
  loading: () => null,
})
const DownloadSome = dynamic(() => import('./selection-dialogs').then((module) => module.DownloadSome), {
  loading: () => null,
})
const MoveMany = dynamic(() => import('./move-many').then((module) => module.MoveMany), { loading: () => null })
const WaiveMany = dynamic(() => import('./waive-many').then((module) => module.WaiveMany), { loading: () => null })

const UNDO_MS = 10_000

type Named = { id: string; words: string }
/** Files that were left out of what was done with the others, each with the reason. */
type Left = { title: string; files: readonly Named[] }

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
  const [dialog, setDialog] = useState<'approve' | 'reject' | 'delete' | 'waive' | 'move' | CheckedSelection | null>(
    null,
  )
  const [left, setLeft] = useState<Left | null>(null)
  const { files } = selection
  const params = { project_id: powers.projectId, batch_id: powers.batchId }
  const close = () => setDialog(null)
  /** @param what became not of them: `not deleted` */
  const say = (what: string, files: readonly Named[]) =>
    setLeft(files.length > 0 ? { title: `${formatCount(files.length, 'file')} ${what}`, files } : null)

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
      say('not decided by you', left.map(namedReason))
      if (decided.length === 0) return
      toast.success(`${formatCount(decided.length, 'file')} ${decision === 'approve' ? 'approved' : 'rejected'}`, {
        duration: UNDO_MS,
        action: { label: 'Undo', onClick: () => undo.mutate(decided.map(({ id }) => id)) },
      })
    },
  })
  const download = useApiMutation({
    request: (file_ids: string[]) =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/archive/check', {
        params,
        body: { file_ids },
      }),
    onSuccess: (checked) => {
      if (checked.left.length === 0) return save(checked)
      if (checked.files.length > 0) setDialog(checked)
      else
        say(
          'not downloaded',
          checked.left.map(({ file, reason }) => ({ id: file.id, words: reason })),
        )
    },
    refresh: false,
  })
  async function save({ files: ready, size }: CheckedSelection) {
    const { downloadZip } = await import('@/lib/client/zip-download')
    downloadZip(params, idsOf(ready), toastProblem)
    toast.success(`Downloading ${formatCount(ready.length, 'file')}, ${formatBytes(size)}`)
  }
  const rerunnable = files.filter(({ pre_qc }) => pre_qc && pre_qc.status !== 'queued' && pre_qc.status !== 'running')
  const rerun = useRerun({ batch: params, fileIds: idsOf(rerunnable), onDone: selection.clear })

  const notice = left && (
    <Callout
      tone="warn"
      title={left.title}
      actions={
        <Button size="sm" onClick={() => setLeft(null)}>
          Understood
        </Button>
      }
    >
      <NamedFew items={left.files} />
    </Callout>
  )
  if (files.length === 0) return notice

  const blocked = files.flatMap((file) => {
    const why = whyNotApprovable(file) ?? (file.decision === 'approved' ? `“${file.name}” is approved already.` : null)
    return why ? [{ id: file.id, words: why }] : []
  })
  const approvable = files.filter((file) => !blocked.some(({ id }) => id === file.id))
  const approve = () => review.mutateAsync({ file_ids: idsOf(approvable), decision: 'approve' })
  const hasMore = powers.mayRerun || powers.mayWaive || powers.mayMove || powers.mayDelete
  const hasFindings = files.some(({ pre_qc }) => (pre_qc?.findings ?? 0) > 0)
  const startDownload = () => download.mutate(idsOf(files))

  /** One after the other: each is refused by itself. */
  async function remove() {
    const left: Named[] = []
    for (const { id, name } of files) {
      await api('DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}', {
        params: { ...params, file_id: id },
      }).catch((error) => {
        if (!(error instanceof ApiProblem)) throw error
        left.push(namedReason({ file: { id, name }, reason: error.message }))
      })
    }
    close()
    selection.clear()
    if (left.length < files.length) toast.success(`${formatCount(files.length - left.length, 'file')} deleted`)
    say('not deleted', left)
  }

  return (
    <>
      {notice}
      <SelectionFrame
        label="Selected files"
        words={
          <>
            {formatCount(files.length, 'file')} selected
            {files.length === MOST_SELECTED && total > MOST_SELECTED && (
              <span className="font-normal text-ink-muted">, the most at once</span>
            )}
          </>
        }
        clear={selection.clear}
      >
        <Button
          variant="ghost"
          size="sm"
          loading={download.isPending}
          onClick={startDownload}
          className="max-sm:hidden"
        >
          <Download />
          Download
        </Button>
        <Menu
          side="top"
          trigger={
            <Button variant="ghost" size="sm" loading={rerun.isPending} className={hasMore ? undefined : 'sm:hidden'}>
              More
              <ChevronDown />
            </Button>
          }
        >
          <MenuItem icon={<Download />} onClick={startDownload} className="sm:hidden">
            Download
          </MenuItem>
          {powers.mayRerun && (
            <MenuItem icon={<RotateCw />} disabled={rerunnable.length === 0} onClick={rerun.press}>
              Run checks again
            </MenuItem>
          )}
          {powers.mayWaive && (
            <MenuItem icon={<BadgeCheck />} disabled={!hasFindings} onClick={() => setDialog('waive')}>
              Waive a finding
            </MenuItem>
          )}
          {powers.mayMove && (
            <MenuItem icon={<FolderInput />} onClick={() => setDialog('move')}>
              Move to another batch
            </MenuItem>
          )}
          {powers.mayDelete && (
            <>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} tone="danger" onClick={() => setDialog('delete')}>
                Delete
              </MenuItem>
            </>
          )}
        </Menu>
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
        {dialog === 'approve' && <ApproveSome count={files.length} blocked={blocked} confirm={approve} close={close} />}
        {dialog === 'delete' && <DeleteAll files={files} confirm={remove} close={close} />}
        {dialog === 'reject' && (
          <RejectionForm
            what={files.length === 1 ? `“${files[0]?.name}”` : `${files.length} files`}
            isPending={review.isPending}
            reject={(said) => review.mutate({ file_ids: idsOf(files), decision: 'reject', ...said })}
            close={close}
          />
        )}
        {dialog === 'waive' && (
          <WaiveMany
            batch={params}
            fileIds={idsOf(files)}
            mayWaiveBlocking={powers.mayWaiveBlocking}
            done={({ waived, proposed, left }) => {
              close()
              selection.clear()
              if (waived.length > 0) toast.success(`Waived on ${formatCount(waived.length, 'file')}`)
              if (proposed.length > 0)
                toast.success(`A second person has to confirm the waiver on ${formatCount(proposed.length, 'file')}`)
              say('not waived', left.map(namedReason))
            }}
            close={close}
          />
        )}
        {dialog === 'move' && (
          <MoveMany
            batch={params}
            fileIds={idsOf(files)}
            done={({ batch, moved, left }) => {
              close()
              selection.clear()
              if (moved.length > 0) toast.success(`${formatCount(moved.length, 'file')} moved to “${batch.name}”`)
              say('not moved', left.map(namedReason))
            }}
            close={close}
          />
        )}
        {dialog !== null && typeof dialog === 'object' && (
          <DownloadSome checked={dialog} confirm={() => save(dialog)} close={close} />
        )}
      </SelectionFrame>
    </>
  )
}

const idsOf = (files: readonly Pick<FileSummary, 'id'>[]) => files.map(({ id }) => id)
const namedReason = ({ file, reason }: { file: { id: string; name: string }; reason: string }): Named => ({
  id: file.id,
  words: `“${file.name}”: ${reason}`,
})
