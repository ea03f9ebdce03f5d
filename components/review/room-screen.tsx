'use client'

import { Files } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { Callout } from '@/components/ui/callout'
import { cn } from '@/components/ui/cn'
import { EmptyState } from '@/components/ui/empty-state'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { ApiProblem } from '@/lib/client/api'
import { useShortcuts } from '@/lib/client/shortcuts'
import type { Batch } from '@/lib/domain/batches/schema'
import type { FileSummaryList } from '@/lib/domain/files/schema'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import { DecisionBar } from './decision-bar'
import { FileRail } from './file-rail'
import { FileTitle } from './file-title'
import { isGone } from './room-file'
import { RoomHeader } from './room-header'
import { type Sheet, SheetBar } from './sheet-bar'
import { SidePanel } from './side-panel'
import { Stage } from './stage'
import { useNamedPlace } from './use-named-place'
import { type OpenedFile, type Reviewer, useRoom } from './use-room'
import { useView } from './use-view'

const RejectionForm = dynamic(() => import('@/components/files/reject-dialog').then((module) => module.RejectionForm))

type RoomProps = {
  batch: Batch
  project: { id: string; name: string }
  /** The part of the list that holds the file. */
  list: FileSummaryList
  /** Null: the batch has no files. */
  opened: OpenedFile | null
  me: Reviewer
  whyNot: string | null
}

/** The review room: one file large, everything known of it beside it, and the whole batch at the fingertips. */
export function RoomScreen({ batch, project, list, opened, me, whyNot }: RoomProps) {
  const [isRejecting, setRejecting] = useState(false)
  const [isComparing, setComparing] = useState(false)
  const [sheet, setSheet] = useState<Sheet>(null)
  const room = useRoom({ batch, list, opened, mayReview: me.mayReview })
  const { file } = room
  const view = useView(file, room.comments)
  useNamedPlace(room, view)
  useEffect(() => {
    if (view.isWriting) setSheet('details')
  }, [view.isWriting])
  const { versions } = room
  const comparable = versions.filter((version) => !isGone(version))
  const hasVersions = comparable.length > 1 && comparable.some(({ id }) => id === file?.id)
  const comparing = isComparing && hasVersions
  const toggleComparing = () => setComparing(!isComparing)

  useShortcuts([
    { keys: 'j', label: 'Next file', group: 'Review', run: () => room.move(1) },
    { keys: 'k', label: 'Previous file', group: 'Review', run: () => room.move(-1) },
  ])
  useShortcuts(
    [
      {
        keys: 'a',
        label: 'Approve, and on to the next',
        group: 'Review',
        run: () => room.decide({ decision: 'approve' }),
      },
      { keys: 'r', label: 'Reject with a reason', group: 'Review', run: () => setRejecting(true) },
      { keys: 'u', label: 'Take the last decision back (one minute)', group: 'Review', run: room.undoLast },
    ],
    me.mayReview,
  )
  useShortcuts([{ keys: 'x', label: 'Compare versions', group: 'Viewing', run: toggleComparing }], hasVersions)

  const decisionBar = file && (
    <DecisionBar
      file={file}
      room={room}
      mayReview={me.mayReview}
      whyNot={whyNot}
      startRejecting={() => setRejecting(true)}
    />
  )
  return (
    <div className="flex h-dvh flex-col overflow-hidden bg-canvas">
      <RoomHeader batch={batch} project={project} room={room} mayReview={me.mayReview} />
      {room.openId ? (
        <div className="relative flex min-h-0 flex-1">
          <FileRail
            room={room}
            className={cn(
              'w-66 shrink-0 border-r border-line bg-surface',
              sheet === 'files' ? 'max-lg:absolute max-lg:inset-0 max-lg:z-20 max-lg:w-full' : 'max-lg:hidden',
            )}
          />
          <main id="main" className="flex min-w-0 flex-1 flex-col">
            {file ? (
              <>
                <FileTitle
                  file={file}
                  room={room}
                  hasVersions={hasVersions}
                  isComparing={comparing}
                  toggleComparing={toggleComparing}
                />
                <Stage
                  key={comparing ? `compare ${file.id}` : 'single'}
                  file={file}
                  versions={comparable}
                  isComparing={comparing}
                  view={view}
                  checks={room.result?.checks ?? []}
                  batch={room.batch}
                  mayComment={me.mayComment}
                />
              </>
            ) : room.error ? (
              <Callout tone="fail" title="The file cannot be shown" className="m-4">
                {room.error instanceof ApiProblem && room.error.status === 404
                  ? 'It is no longer in this batch. Choose another.'
                  : 'Greenroom did not respond. Choose the file again.'}
              </Callout>
            ) : (
              <Loading label="the file" className="flex flex-1 flex-col gap-3 p-3">
                <Skeleton className="w-1/3" />
                <Skeleton className="h-auto flex-1" />
              </Loading>
            )}
          </main>
          <aside
            aria-label="About this file"
            className={cn(
              'flex w-96 shrink-0 flex-col border-l border-line bg-canvas max-xl:w-80',
              sheet === 'details' ? 'max-lg:absolute max-lg:inset-0 max-lg:z-20 max-lg:w-full' : 'max-lg:hidden',
            )}
          >
            {file && <SidePanel room={room} view={view} file={file} versions={versions} me={me} />}
            <div className="max-lg:hidden">{decisionBar}</div>
          </aside>
        </div>
      ) : (
        <main id="main" className="grid flex-1 place-items-center p-6">
          <EmptyState icon={<Files />} title="No files to review">
            Files appear here as soon as they are in the batch.
          </EmptyState>
        </main>
      )}
      {room.openId && (
        <div className="lg:hidden">
          {decisionBar}
          <SheetBar sheet={sheet} setSheet={setSheet} undo={me.mayReview ? room.undoLast : null} />
        </div>
      )}
      {isRejecting && file && (
        <RejectionForm
          what={`“${file.name}”`}
          findings={(room.result?.checks ?? []).filter((check) => isProblem(check.status))}
          close={() => setRejecting(false)}
          reject={(rejection) => {
            setRejecting(false)
            room.decide({ decision: 'reject', ...rejection })
          }}
        />
      )}
    </div>
  )
}
