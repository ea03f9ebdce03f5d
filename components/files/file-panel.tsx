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
      run: () =>
        router.push(
          roomAddress(room.batch, fileId, view, reviewing.isComparing ? reviewing.comparing.comparison : null),
        ),
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
      <div className="@container min-h-0 flex-1">
        <div className="grid h-full grid-rows-[42dvh_minmax(0,1fr)_auto] @4xl:grid-cols-[minmax(0,1fr)_24rem] @4xl:grid-rows-[minmax(0,1fr)_auto]">
          <div
            // Here fingers move the image.
            data-base-ui-swipe-ignore=""
            className="flex min-h-0 min-w-0 flex-col @4xl:row-span-2"
          >
            {file ? (
              <Stage file={file} room={room} reviewing={reviewing} mayComment={powers.mayComment} />
            ) : (
              <AwaitedFile error={room.error} retry={room.retry} />
            )}
          </div>
          <aside
            aria-label="About this file"
            className="flex min-h-0 min-w-0 flex-col border-line bg-canvas @4xl:border-l @max-4xl:border-t"
          >
            {file && (
              <SidePanel
                room={room}
                view={view}
                file={file}
                me={powers}
                className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
              />
            )}
          </aside>
          <div className="min-w-0 border-line @4xl:border-l">
            {file && <DecisionBar file={file} room={room} me={powers} startRejecting={reviewing.startRejecting} />}
          </div>
        </div>
      </div>
      {reviewing.rejection}
    </Drawer>
  )
}
