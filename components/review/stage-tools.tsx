'use client'

import {
  Hand,
  Maximize,
  MessageSquarePlus,
  MessageSquareText,
  Minus,
  PenLine,
  Pipette,
  Plus,
  SquareDashed,
} from 'lucide-react'
import { PageTurner } from '@/components/media/page-turner'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { useShortcuts } from '@/lib/client/shortcuts'
import type { Tool, View } from './use-view'
import type { useZoom } from './use-zoom'

const pressed = 'aria-pressed:bg-accent-soft aria-pressed:text-accent-ink'

/** What the pointer does on the image. */
export function ToolButtons({
  view,
  mayComment,
  hasLoupe,
  isLoupeOff = false,
}: {
  view: View
  mayComment: boolean
  hasLoupe: boolean
  /** While what it reads is not what is shown. */
  isLoupeOff?: boolean
}) {
  const toggle = (tool: Tool) => view.setTool(view.tool === tool ? 'move' : tool)
  useShortcuts([
    { keys: 'v', label: 'Move the image', group: 'Viewing', run: () => view.setTool('move') },
    ...(hasLoupe && !isLoupeOff
      ? [{ keys: 'l', label: 'Loupe and colour; press to copy', group: 'Viewing', run: () => toggle('loupe') }]
      : []),
    ...(mayComment
      ? [{ keys: 'c', label: 'Comment on a point or region', group: 'Review', run: () => toggle('comment') }]
      : []),
    ...(mayComment ? [{ keys: 'd', label: 'Draw on the image', group: 'Review', run: () => toggle('draw') }] : []),
  ])
  const button = (tool: Tool, label: string, shortcut: string, icon: React.ReactNode, isOff = false) => (
    <IconButton
      label={label}
      shortcut={shortcut}
      icon={icon}
      disabled={isOff}
      aria-pressed={view.tool === tool}
      className={pressed}
      onClick={() => view.setTool(tool)}
    />
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset means form values; these choose a tool
    <div role="group" aria-label="Tool" className="flex items-center gap-0.5">
      {button('move', 'Move', 'v', <Hand />)}
      {hasLoupe && button('loupe', 'Loupe and colour', 'l', <Pipette />, isLoupeOff)}
      {mayComment && button('comment', 'Comment on a place', 'c', <MessageSquarePlus />)}
      {mayComment && button('draw', 'Draw', 'd', <PenLine />)}
    </div>
  )
}

type Zoom = Pick<ReturnType<typeof useZoom>, 'zoomIn' | 'zoomOut' | 'whole' | 'actual'> & {
  view: { scale: number } | null
}

export function ZoomControls({ zoom }: { zoom: Zoom }) {
  const percent = zoom.view ? `${Math.round(zoom.view.scale * (globalThis.devicePixelRatio || 1) * 100)} %` : 'Fit'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset means form values; these zoom
    <div role="group" aria-label="Zoom" className="ml-1 flex items-center gap-0.5 border-l border-line pl-2">
      <IconButton label="Zoom out" shortcut="-" icon={<Minus />} onClick={zoom.zoomOut} />
      <span aria-live="polite" className="w-13 text-center text-xs text-ink-muted tabular-nums">
        {percent}
      </span>
      <IconButton label="Zoom in" shortcut="+" icon={<Plus />} onClick={zoom.zoomIn} />
      <IconButton label="Whole image" shortcut="0" icon={<Maximize />} onClick={zoom.whole} />
      <Button variant="ghost" size="sm" onClick={zoom.actual}>
        1:1
      </Button>
    </div>
  )
}

export function PageControls({
  page,
  pages,
  inFile,
  setPage,
  comment,
  boxes,
}: {
  page: number
  /** That can be shown. */
  pages: number
  /** That there are, where that is known. */
  inFile: number | null
  setPage: (page: number) => void
  /** Begins a comment on the page as a whole, where that is allowed. */
  comment?: (() => void) | null
  boxes?: { shown: boolean; toggle: () => void; has: boolean }
}) {
  useShortcuts([
    { keys: ']', label: 'Next page', group: 'Viewing', run: () => page < pages && setPage(page + 1) },
    { keys: '[', label: 'Page before', group: 'Viewing', run: () => page > 1 && setPage(page - 1) },
  ])
  return (
    <nav aria-label="Pages" className="ml-1 flex items-center gap-0.5 border-l border-line pl-2">
      <PageTurner page={page} pages={pages} inFile={inFile} setPage={setPage} hasKeys />
      {comment && <IconButton label="Comment on this page" icon={<MessageSquareText />} onClick={comment} />}
      {boxes?.has && (
        <IconButton
          label="Page boxes"
          icon={<SquareDashed />}
          aria-pressed={boxes.shown}
          className={cn(pressed)}
          onClick={boxes.toggle}
        />
      )}
    </nav>
  )
}
