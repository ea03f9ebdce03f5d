'use client'

import { ArrowUpRight, Check, MousePointer2, PenLine, Square, Type, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { COLOURS } from '@/lib/domain/review/rules'
import { SHAPE_COLOURS, type ShapeKind } from '@/lib/vocabulary'
import { COLOUR_NAMES, type Drawing, SHAPE_NAMES } from './use-drawing'

/** The pens, and the keys that take them. */
export const PENS: readonly { kind: ShapeKind; key: string; icon: ReactNode }[] = [
  { kind: 'stroke', key: 'p', icon: <PenLine /> },
  { kind: 'arrow', key: 'w', icon: <ArrowUpRight /> },
  { kind: 'box', key: 'b', icon: <Square /> },
  { kind: 'text', key: 't', icon: <Type /> },
]

/** What is drawn with, in which colour; what was drawn last is taken back here. */
export function DrawBar({
  drawing,
  hasKeys,
  write,
  stop,
}: {
  drawing: Drawing
  /** Whether the pens have keys of their own here. */
  hasKeys: boolean
  /** On to the words of the comment; null where they stand already. */
  write: (() => void) | null
  stop: () => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset means form values; these choose a pen
    <div
      role="group"
      aria-label="Drawing"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="group" aria-label="Pen" className="flex items-center gap-0.5">
        {PENS.map(({ kind, key, icon }) => (
          <IconButton
            key={kind}
            label={SHAPE_NAMES[kind]}
            shortcut={hasKeys ? key : undefined}
            icon={icon}
            aria-pressed={!drawing.isPicking && drawing.kind === kind}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onClick={() => drawing.setKind(kind)}
          />
        ))}
        {(drawing.shapes.length > 0 || drawing.isPicking) && (
          <IconButton
            label="Move shapes"
            shortcut={hasKeys ? 'm' : undefined}
            icon={<MousePointer2 />}
            aria-pressed={drawing.isPicking}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onClick={drawing.pick}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="group" aria-label="Colour" className="flex items-center border-l border-line pl-2">
        {SHAPE_COLOURS.map((colour) => (
          <button
            key={colour}
            type="button"
            aria-label={COLOUR_NAMES[colour]}
            title={COLOUR_NAMES[colour]}
            aria-pressed={drawing.colour === colour}
            onClick={() => drawing.setColour(colour)}
            className="grid size-7 place-items-center rounded-full hover:bg-hover pointer-coarse:size-10"
          >
            <span
              className={cn(
                'grid size-5 place-items-center rounded-full border border-line-control',
                drawing.colour === colour && 'outline-2 outline-offset-1 outline-accent',
              )}
              style={{ background: COLOURS[colour].paint, color: COLOURS[colour].ink }}
            >
              {drawing.colour === colour && <Check aria-hidden="true" className="size-3.5" strokeWidth={3} />}
            </span>
          </button>
        ))}
      </div>
      <div className="flex items-center border-l border-line pl-2">
        <IconButton
          label="Take back"
          shortcut="Ctrl Z"
          icon={<Undo2 />}
          disabled={!drawing.canUndo}
          onClick={drawing.undo}
        />
      </div>
      <div className="ml-auto flex items-center gap-1">
        <Button size="sm" variant="ghost" onClick={stop}>
          {drawing.shapes.length > 0 ? 'Done' : 'Cancel'}
        </Button>
        {write && (
          <Button size="sm" disabled={drawing.shapes.length === 0} onClick={write}>
            Write comment
          </Button>
        )}
      </div>
    </div>
  )
}
