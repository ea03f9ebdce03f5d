'use client'

import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, ChevronUp, Download, RotateCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { CheckList } from '@/components/pre-qc/check-list'
import { EvidenceViewer } from '@/components/pre-qc/evidence-viewer'
import type { Focus } from '@/components/pre-qc/occurrences'
import { ResultBadge } from '@/components/pre-qc/result-badge'
import { DeltaList } from '@/components/pre-qc/version-delta'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { Drawer } from '@/components/ui/drawer'
import { IconButton } from '@/components/ui/icon-button'
import { AnchorButton } from '@/components/ui/link-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { api, apiRequest } from '@/lib/client/api'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { whyNotApprovable } from '@/lib/domain/files/rules'
import type { File } from '@/lib/domain/files/schema'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import { formatBytes } from '@/lib/format'
import { Decision } from './decision'
import { factsOf } from './facts'
import { FileDetails, QuarantineNotice } from './file-details'
import { RejectDialog } from './reject-dialog'
import { ownPath, Thumbnail } from './thumbnail'
import { versionsOf } from './versions'

/** What the current user may do with files here and now; the server asks again. */
export type FilePowers = {
  projectId: string
  batchId: string
  mayReview: boolean
  mayDelete: boolean
  mayRerun: boolean
  mayWaive: boolean
  mayWaiveBlocking: boolean
  /** Version of the media category's settings as they are now. */
  settingsVersion: number
}

/** One file: its image, what was found, what was decided, and what can be done. */
export function FilePanel({
  file,
  result,
  powers,
  close,
  move,
}: {
  file: File
  result: PreQcResult | null
  powers: FilePowers
  close: () => void
  move: (step: number) => void
}) {
  const [isRejecting, setRejecting] = useState(false)
  const [chosen, setChosen] = useState<{ fileId: string; focus: Focus | null } | null>(null)
  const focus = chosen?.fileId === file.id ? chosen.focus : null
  const setFocus = (next: Focus | null) => setChosen({ fileId: file.id, focus: next })
  const params = { project_id: powers.projectId, batch_id: powers.batchId, file_id: file.id }
  const approve = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/review', {
        params,
        body: { decision: 'approve' },
      }),
    success: `${file.name} approved`,
  })
  const whyNotApprove = whyNotApprovable(file)
  const rerun = useApiMutation({
    request: () => apiRequest('POST /api/pre-qc/results/{result_id}/rerun', { params: { result_id: `${result?.id}` } }),
    success: 'Queued to be checked again',
  })
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
    <Drawer
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      size="xl"
      title={file.name}
      description={[file.version > 1 && `Version ${file.version}`, ...factsOf(file), formatBytes(file.size)]
        .filter(Boolean)
        .join(' · ')}
      footer={
        <div className="flex w-full flex-wrap items-center gap-2">
          <IconButton label="Previous file" shortcut="k" icon={<ChevronUp />} onClick={() => move(-1)} />
          <IconButton label="Next file" shortcut="j" icon={<ChevronDown />} onClick={() => move(1)} />
          <AnchorButton href={ownPath(file.download_url)} download variant="ghost">
            <Download />
            Download
          </AnchorButton>
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
        </div>
      }
    >
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
                    {powers.mayRerun && (
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
            <Versions file={file} projectId={powers.projectId} />
            <FileDetails file={file} />
          </div>
        </div>
      </div>
      {isRejecting && <RejectDialog file={file} projectId={powers.projectId} close={() => setRejecting(false)} />}
    </Drawer>
  )
}

/** Earlier versions with what was decided of them; asked only for files that have some. */
function Versions({ file, projectId }: { file: File; projectId: string }) {
  const { data } = useQuery({
    queryKey: ['versions', file.id],
    queryFn: () =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/files', {
        params: { project_id: projectId, batch_id: file.batch_id },
        query: { versions: 'all' },
      }),
    enabled: file.version > 1,
  })
  const earlier = versionsOf(file, data?.files ?? []).filter((other) => other.version < file.version)
  if (file.version === 1) return null
  return (
    <section>
      <h3 className="mb-2 text-base font-semibold">Earlier versions</h3>
      <ul className="divide-y divide-line border-y border-line">
        {earlier.map((version) => (
          <li key={version.id} className="flex items-center gap-3 py-2 text-sm">
            <Thumbnail file={version} className="h-10 w-14" />
            <span className="min-w-0 flex-1">
              Version {version.version}, <Decision decision={version.review.decision} />
              {version.review.comment && (
                <span className="block text-ink-muted wrap-anywhere">{version.review.comment}</span>
              )}
            </span>
            <AnchorButton href={ownPath(version.download_url)} download size="sm" variant="ghost">
              Download
            </AnchorButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
