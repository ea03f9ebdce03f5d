'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { FileDetails, QuarantineNotice } from '@/components/files/file-details'
import { VersionList } from '@/components/files/version-list'
import { CheckList } from '@/components/pre-qc/check-list'
import { RerunButton } from '@/components/pre-qc/rerun-button'
import { ResultBadge } from '@/components/pre-qc/result-badge'
import { DeltaList } from '@/components/pre-qc/version-delta'
import { Callout } from '@/components/ui/callout'
import { CopyButton } from '@/components/ui/copy-button'
import { Spinner } from '@/components/ui/spinner'
import { Tabs } from '@/components/ui/tabs'
import type { File } from '@/lib/domain/files/schema'
import { couldNotRun, isProblem } from '@/lib/domain/pre-qc/rules'
import { CommentPanel } from './comment-panel'
import type { Reviewer } from './reviewer'
import type { View } from './use-view'
import type { Room } from './use-viewed-file'

// Below the findings, and for few files: their code comes after that of the room.
const RepairPanel = dynamic(() => import('@/components/files/repair-panel').then((module) => module.RepairPanel), {
  loading: () => null,
})
const Attempts = dynamic(() => import('@/components/pre-qc/attempts').then((module) => module.Attempts), {
  loading: () => null,
})

type Tab = 'findings' | 'comments' | 'file'

/** What was found, what was said, and what the file is. */
export function SidePanel({
  room,
  view,
  file,
  me,
  className,
}: {
  room: Room
  view: View
  file: File
  me: Reviewer
  className?: string
}) {
  const [chosen, setTab] = useState<Tab>('findings')
  // Pointing at a place, or at a mark, is about comments.
  const [heeded, setHeeded] = useState({ fileId: file.id, draft: view.draft, selectedId: view.selectedId })
  if (heeded.fileId !== file.id || heeded.draft !== view.draft || heeded.selectedId !== view.selectedId) {
    setHeeded({ fileId: file.id, draft: view.draft, selectedId: view.selectedId })
    // Another file is validated by its findings first.
    if (heeded.fileId !== file.id && chosen === 'comments') setTab('findings')
    else if ((view.draft && !heeded.draft) || (view.selectedId && view.selectedId !== heeded.selectedId))
      setTab('comments')
  }
  if (view.isWriting && chosen !== 'comments') setTab('comments')
  const problems = (room.result?.checks ?? []).filter((check) => isProblem(check.status)).length
  const earlier = room.versions.filter(({ id }) => id !== file.id)
  return (
    <div className={className}>
      <Tabs<Tab>
        label="About this file"
        value={chosen}
        onValueChange={setTab}
        className="[&>[role=tablist]]:sticky [&>[role=tablist]]:top-0 [&>[role=tablist]]:z-10 [&>[role=tablist]]:m-0 [&>[role=tablist]]:bg-canvas [&>[role=tablist]]:px-3 [&>[role=tabpanel]]:pt-0"
        tabs={[
          {
            value: 'findings',
            label: 'Findings',
            count: problems,
            content: <Findings room={room} view={view} file={file} me={me} />,
          },
          {
            value: 'comments',
            label: 'Comments',
            count: view.marks.filter(({ comment }) => comment.resolved_at === null).length,
            content: <CommentPanel room={room} view={view} file={file} earlier={earlier} me={me} />,
          },
          { value: 'file', label: 'File', content: <About file={file} earlier={earlier} /> },
        ]}
      />
    </div>
  )
}

function Findings({ room, view, file, me }: { room: Room; view: View; file: File; me: Reviewer }) {
  const { result } = room
  const again = { batch: room.batch, onDone: async () => void (await room.refetch()) }
  const mayRunAgain = me.mayRerun && !file.removed && result?.status !== 'queued' && result?.status !== 'running'
  if (!result && room.isResultPending) {
    return (
      <p className="flex items-center gap-2 p-4 text-sm text-ink-muted">
        <Spinner /> Reading the findings
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <ResultBadge result={result} />
        {result && (
          <span className="ml-auto flex items-center">
            {mayRunAgain && (
              <RerunButton {...again} fileIds={[file.id]} variant={couldNotRun(result) ? 'secondary' : 'ghost'}>
                Run again
              </RerunButton>
            )}
            <CopyButton text={JSON.stringify(result, null, 2)} label="Copy as JSON" variant="ghost" />
          </span>
        )}
      </div>
      {file.integrity === 'quarantined' && <QuarantineNotice />}
      {result && result.profile.version < me.settingsVersion && (
        <p className="text-sm text-ink-muted">
          Checked with version {result.profile.version} of the settings; they are at version {me.settingsVersion} now.
        </p>
      )}
      {result?.failure && <Callout tone="fail">{result.failure}</Callout>}
      {me.mayRerun && result && !file.removed && couldNotRun(result) && (
        <RerunButton {...again} variant="ghost">
          All of the batch that could not run
        </RerunButton>
      )}
      {result?.delta && <DeltaList delta={result.delta} />}
      {result ? (
        <CheckList
          key={result.id}
          result={result}
          mayWaive={me.mayWaive}
          mayWaiveBlocking={me.mayWaiveBlocking}
          focus={view.focus}
          setFocus={view.setFocus}
        />
      ) : (
        <p className="text-sm text-ink-muted">The checks run when the batch is submitted.</p>
      )}
      {!file.removed && (
        <RepairPanel
          file={file}
          resultId={result?.status === 'completed' ? result.id : null}
          powers={{
            projectId: room.batch.project_id,
            mayPropose: me.mayProposeRepair,
            mayDecide: me.mayDecideRepair,
          }}
        />
      )}
      {result && <Attempts result={result} projectId={room.batch.project_id} mayRerun={me.mayRerun && !file.removed} />}
    </div>
  )
}

function About({ file, earlier }: { file: File; earlier: readonly File[] }) {
  return (
    <div className="flex flex-col gap-5 p-4">
      <FileDetails file={file} hasMeasures />
      {earlier.length > 0 && <VersionList versions={earlier} title="Other versions" />}
    </div>
  )
}
