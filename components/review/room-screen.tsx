'use client'

import { Files } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { EmptyState } from '@/components/ui/empty-state'
import type { Batch } from '@/lib/domain/batches/schema'
import type { FileSummaryList } from '@/lib/domain/files/schema'
import { AwaitedFile } from './awaited-file'
import { comparisonWords } from './comparing'
import { DecisionBar } from './decision-bar'
import { FileRail } from './file-rail'
import { FileTitle } from './file-title'
import type { Reviewer } from './reviewer'
import { RoomHeader } from './room-header'
import type { BatchPath } from './room-queries'
import { type Sheet, SheetBar } from './sheet-bar'
import { SidePanel } from './side-panel'
import { Stage } from './stage'
import { type Reviewing, useReviewing } from './use-reviewing'
import { useRoom } from './use-room'
import type { OpenedFile } from './use-viewed-file'

type RoomProps = {
  batch: Batch
  project: { id: string; name: string }
  /** The part of the list that holds the file. */
  list: FileSummaryList
  /** Null: the batch has no files. */
  opened: OpenedFile | null
  me: Reviewer
}

/** Shows nothing: with it the browser learns of the code of the room, and has it, before it shows a skeleton of the room. */
export const RoomScreenCode = () => null

/**
 * The review room: one file large, everything known of it beside it, and the whole batch at the fingertips. The drawer of
 * the batch page arranges the same parts (components/files/file-panel.tsx).
 */
export function RoomScreen({ batch, project, list, opened, me }: RoomProps) {
  const [sheet, setSheet] = useState<Sheet>(null)
  const room = useRoom({ batch, list, opened, mayReview: me.mayReview })
  const { file } = room
  const reviewing = useReviewing(room, me, () => setSheet('details'))
  const { view } = reviewing
  useEffect(() => {
    if (view.isWriting) setSheet('details')
  }, [view.isWriting])

  useComparisonInAddress(room.batch, reviewing)

  const decisionBar = file && <DecisionBar file={file} room={room} me={me} startRejecting={reviewing.startRejecting} />
  return (
    <div className="flex h-dvh flex-col overflow-hidden bg-canvas print:block print:h-auto print:overflow-visible">
      <RoomHeader batch={batch} project={project} room={room} mayReview={me.mayReview} />
      {room.openId ? (
        <div className="relative flex min-h-0 flex-1 print:block">
          <FileRail
            room={room}
            className={cn(
              'w-66 shrink-0 border-r border-line bg-surface print:hidden',
              sheet === 'files' ? 'max-lg:absolute max-lg:inset-0 max-lg:z-20 max-lg:w-full' : 'max-lg:hidden',
            )}
          />
          <main id="main" className="flex min-w-0 flex-1 flex-col print:h-[60vh] print:break-inside-avoid">
            {file ? (
              <>
                <FileTitle file={file} room={room} reviewing={reviewing} me={me} />
                <Stage file={file} room={room} reviewing={reviewing} mayComment={me.mayComment} />
              </>
            ) : (
              <AwaitedFile error={room.error} retry={room.retry} />
            )}
          </main>
          <aside
            aria-label="About this file"
            className={cn(
              'flex w-96 shrink-0 flex-col border-l border-line bg-canvas max-xl:w-80 print:w-full print:border-0',
              sheet === 'details'
                ? 'max-lg:absolute max-lg:inset-0 max-lg:z-20 max-lg:w-full print:static'
                : 'max-lg:not-print:hidden',
            )}
          >
            {file && (
              <SidePanel
                room={room}
                view={view}
                file={file}
                me={me}
                className="min-h-0 flex-1 overflow-y-auto overscroll-contain print:overflow-visible"
              />
            )}
            <div className="max-lg:hidden print:hidden">{decisionBar}</div>
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
        <div className="lg:hidden print:hidden">
          {decisionBar}
          <SheetBar sheet={sheet} setSheet={setSheet} undo={me.mayReview ? room.undoLast : null} />
        </div>
      )}
      {reviewing.rejection}
    </div>
  )
}

/** What is compared stands in the address, which can be passed on. */
function useComparisonInAddress(batch: BatchPath, { comparing, isComparing }: Reviewing) {
  const words = isComparing ? comparisonWords(batch, comparing.comparison) : ''
  const before = useRef(words)
  useEffect(() => {
    if (before.current === words) return
    before.current = words
    const { pathname, search, hash } = window.location
    const kept = hash
      .slice(1)
      .split('&')
      .filter((part) => part !== '' && !/^(compare|mode|against)=/.test(part))
    const parts = words === '' ? kept : [...kept, words]
    window.history.replaceState(null, '', `${pathname}${search}${parts.length > 0 ? `#${parts.join('&')}` : ''}`)
  }, [words])
}
