'use client'

import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, ChevronUp, Download, ExternalLink, RotateCw, ScanEye, Trash2, X } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Attempts } from '@/components/pre-qc/attempts'
import { CheckList } from '@/components/pre-qc/check-list'
import { EvidenceViewer } from '@/components/pre-qc/evidence-viewer'
import type { Focus } from '@/components/pre-qc/occurrences'
import { ResultBadge } from '@/components/pre-qc/result-badge'
import { DeltaList } from '@/components/pre-qc/version-delta'
import { keys, resultQuery } from '@/components/review/room-queries'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { Drawer } from '@/components/ui/drawer'
import { IconButton } from '@/components/ui/icon-button'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { ApiProblem, api, apiRequest } from '@/lib/client/api'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { File, FileSummary } from '@/lib/domain/files/schema'
import { whyNotApprovable } from '@/lib/domain/files/states'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import { formatBytes } from '@/lib/format'
import { Decision } from './decision'
import { factsOf } from './facts'
import { FileDetails, QuarantineNotice } from './file-details'
import { RejectDialog } from './reject-dialog'
import { ownPath } from './thumbnail'
import { VersionList } from './version-list'

const RepairPanel = dynamic(() => import('./repair-panel').then((module) => module.RepairPanel))

/** What the current user may do with files here and now; the server asks again. */
export type FilePowers = {
  projectId: string
  batchId: string
  mayReview: boolean
  mayDelete: boolean
  mayMove: boolean
  mayRerun: boolean
  mayWaive: boolean
  mayWaiveBlocking: boolean
  mayProposeRepair: boolean
  mayDecideRepair: boolean
  /** Version of the media category's settings as they are now. */
  settingsVersion: number
}

type Shown = { file: File; result: PreQcResult | null; powers: FilePowers }

const factLine = (file: Pick<File, 'version' | 'media' | 'size'>) =>
  [file.version > 1 && `Version ${file.version}`, ...factsOf(file), formatBytes(file.size)].filter(Boolean).join(' · ')

/**
 * One file: its image, what was found, what was decided, and what can be done. `summary`: what the list says of it, shown
 * until the file itself has come.
 */
export function FilePanel({
  fileId,
  summary,
  powers,
  close,
  move,
}: {
  fileId: string
  summary: FileSummary | null
  powers: FilePowers
  close: () => void
  move: (step: number) => void
}) {
  const params = { project_id: powers.projectId, batch_id: powers.batchId, file_id: fileId }
  const { data: file, error } = useQuery({
    queryKey: keys.file(fileId),
    queryFn: () => api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}', { params }),
  })
  const { data: result } = useQuery(resultQuery(powers.batchId, fileId))
  const shown = file && result !== undefined ? { file, result, powers } : null
  const known = file ?? summary
  return (
    <Drawer
      hasShortcuts
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      size="xl"
      title={known?.name ?? 'File'}
      description={known ? factLine(known) : undefined}
      footer={
        <div className="flex w-full flex-wrap items-center gap-2">
          <IconButton label="Previous file" shortcut="k" icon={<ChevronUp />} onClick={() => move(-1)} />
          <IconButton label="Next file" shortcut="j" icon={<ChevronDown />} onClick={() => move(1)} />
          {shown && <Actions key={fileId} {...shown} close={close} />}
        </div>
      }
    >
      {shown ? (
        <Body {...shown} />
      ) : error ? (
        <Callout tone="fail" title="The file cannot be shown">
          {error instanceof ApiProblem && error.status === 404
            ? 'It is no longer in this batch.'
            : 'Greenroom did not respond. It is asked again when you come back to this window.'}
        </Callout>
      ) : (
        <Loading label="the file" className="grid gap-6 p-1 lg:grid-cols-[minmax(0,1fr)_27rem]">
          <Skeleton className="aspect-4/3 h-auto w-full" />
          <span className="flex flex-col gap-3">
            <Skeleton className="w-1/3" />
            <Skeleton className="h-24 w-full" />
            <Skeleton className="h-24 w-full" />
          </span>
        </Loading>
      )}
    </Drawer>
  )
}

function Actions({ file, powers, close }: Shown & { close: () => void }) {
  const [isRejecting, setRejecting] = useState(false)
  const params = { project_id: powers.projectId, batch_id: powers.batchId, file_id: file.id }
  const invalidate = [keys.file(file.id)]
  const approve = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/review', {
        params,
        body: { decision: 'approve' },
      }),
    invalidate,
    success: `${file.name} approved`,
  })
  const whyNotApprove = whyNotApprovable(file)
  const router = useRouter()
  const room = `/projects/${powers.projectId}/batches/${powers.batchId}/review?file=${file.id}`
  useShortcuts([{ keys: 'o', label: 'Open in the review room', group: 'Review', run: () => router.push(room) }])
  const remove = useApiMutation({
    request: () => apiRequest('DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}', { params }),
    success: `${file.name} deleted`,
    onSuccess: close,
  })
  useShortcuts(
    [
      {
        keys: 'a',
        label: 'Approve the file',
        group: 'Review',
        run: () => whyNotApprove === null && approve.mutate(),
      },
      { keys: 'r', label: 'Reject the file', group: 'Review', run: () => setRejecting(true) },
    ],
    powers.mayReview,
  )
  return (
    <>
      <LinkButton href={room} variant="ghost">
        <ScanEye />
        Review room
      </LinkButton>
      <AnchorButton href={room} target="_blank" rel="noopener" variant="ghost" aria-label="Open in a new tab">
        <ExternalLink />
      </AnchorButton>
      {!file.removed && (
        <AnchorButton href={ownPath(file.download_url)} download variant="ghost">
          <Download />
          Download
        </AnchorButton>
      )}
      {powers.mayDelete && (
        <ConfirmDialog
          title={`Delete “${file.name}”?`}
          confirmLabel="Delete file"
          tone="danger"
          onConfirm={() => remove.mutateAsync()}
          trigger={
            <Button variant="danger-ghost">
              <Trash2 />
              Delete
            </Button>
          }
        >
          Its bytes are removed from the store. The agency can send it again.
        </ConfirmDialog>
      )}
      {powers.mayReview && (
        <div className="ml-auto flex gap-2">
          <Button variant="secondary" onClick={() => setRejecting(true)}>
            <X />
            Reject
          </Button>
          <Button
            variant="primary"
            disabled={whyNotApprove !== null}
            aria-describedby={whyNotApprove ? 'why-not-approve' : undefined}
            loading={approve.isPending}
            onClick={() => approve.mutate()}
          >
            <Check />
            Approve
          </Button>
        </div>
      )}
      {isRejecting && <RejectDialog file={file} projectId={powers.projectId} close={() => setRejecting(false)} />}
    </>
  )
}

function Body({ file, result, powers }: Shown) {
  const [chosen, setChosen] = useState<{ fileId: string; focus: Focus | null } | null>(null)
  const focus = chosen?.fileId === file.id ? chosen.focus : null
  const setFocus = (next: Focus | null) => setChosen({ fileId: file.id, focus: next })
  const rerun = useApiMutation({
    request: () =>
      apiRequest('POST /api/pre-qc/results/{result_id}/rerun', { params: { result_id: `${result?.id}` }, body: {} }),
    invalidate: [keys.result(file.id)],
    success: 'Queued to be checked again',
  })
  return (
    <div className="@container">
      <div className="grid gap-6 p-1 @4xl:grid-cols-[minmax(0,1fr)_27rem]">
        <div className="self-start @4xl:sticky @4xl:top-0">
          <EvidenceViewer file={file} checks={result?.checks ?? []} focus={focus} setFocus={setFocus} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {file.integrity === 'pending' && (
            <Callout tone="neutral" title="Still being decoded">
              <span id="why-not-approve">It can be approved when it is known to decode to its end.</span>
            </Callout>
          )}
          {file.removed && (
            <p id="why-not-approve" className="sr-only">
              {whyNotApprovable(file)}
            </p>
          )}
          {file.integrity === 'quarantined' && <QuarantineNotice id="why-not-approve" />}
          <section aria-label="Review" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <Decision decision={file.review.decision} />
            {file.review.reviewed_by && file.review.reviewed_at && (
              <span className="text-ink-muted">
                by {file.review.reviewed_by.name}, <RelativeTime value={file.review.reviewed_at} />
              </span>
            )}
            {file.review.comment && (
              <p className="w-full rounded-md bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap">
                {file.review.comment}
              </p>
            )}
          </section>
          <section className="flex flex-col gap-3">
            <div className="flex flex-wrap items-center gap-3">
              <h3 className="text-base font-semibold">Pre-QC</h3>
              <ResultBadge result={result} />
              {result && (
                <span className="ml-auto flex gap-1">
                  <CopyButton text={JSON.stringify(result, null, 2)} label="Copy as JSON" showLabel variant="ghost" />
                  {powers.mayRerun && !file.removed && (
                    <Button
                      variant="ghost"
                      size="sm"
                      loading={rerun.isPending}
                      disabled={result.status === 'queued' || result.status === 'running'}
                      onClick={() => rerun.mutate()}
                    >
                      <RotateCw />
                      Run again
                    </Button>
                  )}
                </span>
              )}
            </div>
            {result?.delta && <DeltaList delta={result.delta} />}
            {result && result.profile.version < powers.settingsVersion && (
              <p className="text-sm text-ink-muted">
                Checked with version {result.profile.version} of the settings; they are at version{' '}
                {powers.settingsVersion} now.
              </p>
            )}
            {result?.failure && <Callout tone="fail">{result.failure}</Callout>}
            {result && result.checks.length > 0 ? (
              <CheckList
                key={result.id}
                result={result}
                mayWaive={powers.mayWaive}
                mayWaiveBlocking={powers.mayWaiveBlocking}
                focus={focus}
                setFocus={setFocus}
              />
            ) : (
              !result && <p className="text-sm text-ink-muted">The checks run when the batch is submitted.</p>
            )}
          </section>
          {!file.removed && (
            <RepairPanel
              file={file}
              resultId={result?.status === 'completed' ? result.id : null}
              powers={{
                projectId: powers.projectId,
                mayPropose: powers.mayProposeRepair,
                mayDecide: powers.mayDecideRepair,
              }}
            />
          )}
          {result && (
            <Attempts result={result} projectId={powers.projectId} mayRerun={powers.mayRerun && !file.removed} />
          )}
          <Versions file={file} projectId={powers.projectId} />
          <FileDetails file={file} />
        </div>
      </div>
    </div>
  )
}

/** Earlier versions with what was decided of them; each names the one it replaced. */
function Versions({ file, projectId }: { file: File; projectId: string }) {
  const { data: earlier = [] } = useQuery({
    queryKey: ['versions', file.id],
    queryFn: async () => {
      const found: File[] = []
      for (let id = file.supersedes_id; id; id = found.at(-1)?.supersedes_id ?? null) {
        const params = { project_id: projectId, batch_id: file.batch_id, file_id: id }
        found.push(await api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}', { params }))
      }
      return found
    },
    enabled: file.version > 1,
  })
  if (file.version === 1) return null
  return <VersionList versions={earlier} title="Earlier versions" />
}
