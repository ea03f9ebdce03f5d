'use client'

import { useRouter } from 'next/navigation'
import { AwaitedFile } from '@/components/review/awaited-file'
import { DecisionBar } from '@/components/review/decision-bar'
import { FileActions } from '@/components/review/file-actions'
import { roomAddress } from '@/components/review/place-in-address'
import { SidePanel } from '@/components/review/side-panel'
import { Stage } from '@/components/review/stage'
import { useReviewing } from '@/components/review/use-reviewing'
import { Drawer } from '@/components/ui/drawer'
import { isTypingTarget } from '@/lib/client/shortcut-sequence'
import { useShortcuts } from '@/lib/client/shortcuts'
import type { File, FileSummary } from '@/lib/domain/files/schema'
import { formatBytes } from '@/lib/format'
import { factsOf } from './facts'
import type { FilePowers } from './powers'
import { type Neighbours, useDrawerRoom } from './use-drawer-room'

const factLine = (file: Pick<File, 'version' | 'media' | 'size'>) =>
  [file.version > 1 && `Version ${file.version}`, ...factsOf(file), formatBytes(file.size)].filter(Boolean).join(' · ')

/**
 * One file beside the list of its batch: the review room in small, of the same parts. `summary`: what the list says of
 * it, shown until the file itself has come.
 */
export function FilePanel({
  fileId,
  summary,
  powers,
  neighbours,
}: {
  fileId: string
  summary: FileSummary | null
  powers: FilePowers
  neighbours: Neighbours
}) {
  const room = useDrawerRoom(fileId, powers, neighbours)
  const { file } = room
  const reviewing = useReviewing(room, powers)
  const { view } = reviewing
  const router = useRouter()
  useShortcuts([
    {
      keys: 'o',
      label: 'Open in the review room',
      group: 'Review',
      run: () => router.push(roomAddress(room.batch, fileId, view)),
    },
  ])
  /** Escape leaves a field, or ends drawing; only then it closes the drawer. */
  const keepsOpen = () => {
    const focused = document.activeElement
    if (focused instanceof HTMLElement && isTypingTarget({ tagName: focused.tagName, isContentEditable: false })) {
      focused.blur()
      return true
    }
    return view.tool === 'draw'
  }
  const known = file ?? summary
  const decisionBar = file && (
    <DecisionBar file={file} room={room} me={powers} startRejecting={reviewing.startRejecting} />
  )
  return (
    <Drawer
      hasShortcuts
      isFlush
      open
      onOpenChange={(isOpen) => !isOpen && neighbours.close()}
      keepsOpen={keepsOpen}
      size="xl"
      title={known?.name ?? 'File'}
      description={known ? factLine(known) : undefined}
      actions={file && <FileActions file={file} room={room} reviewing={reviewing} me={powers} />}
    >
      <div className="@container flex min-h-0 flex-1 flex-col">
        <div className="flex min-h-0 flex-1 flex-col @4xl:flex-row @max-4xl:overflow-y-auto @max-4xl:overscroll-contain">
          <div className="flex min-w-0 flex-col @4xl:flex-1 @max-4xl:h-[46dvh] @max-4xl:min-h-72 @max-4xl:shrink-0">
            {file ? (
              <Stage file={file} room={room} reviewing={reviewing} mayComment={powers.mayComment} />
            ) : (
              <AwaitedFile error={room.error} />
            )}
          </div>
          <aside
            aria-label="About this file"
            className="flex min-w-0 flex-col border-line bg-canvas @4xl:w-96 @4xl:shrink-0 @4xl:border-l @max-4xl:flex-1 @max-4xl:border-t"
          >
            {file && (
              <SidePanel
                room={room}
                view={view}
                file={file}
                me={powers}
                className="min-h-0 flex-1 @4xl:overflow-y-auto @4xl:overscroll-contain"
              />
            )}
            <div className="@max-4xl:hidden">{decisionBar}</div>
          </aside>
        </div>
        <div className="@4xl:hidden">{decisionBar}</div>
      </div>
      {reviewing.rejection}
    </Drawer>
  )
}
