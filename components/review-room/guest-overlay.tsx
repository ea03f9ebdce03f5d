'use client'

import { PenLine } from 'lucide-react'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { PlaceMark } from '@/components/drawing/place-mark'
import type { Drawing } from '@/components/drawing/use-drawing'
import { isHere } from '@/components/review/marks'
import { Button } from '@/components/ui/button'
import type { Anchor } from '@/lib/domain/review/schema'
import type { RoomFile } from '@/lib/domain/review-links/schema'

/** What lies over an image or a film of the guests' room, and the pens for it. */

// Few draw: the pens come when they are asked for.
const DrawBar = dynamic(() => import('@/components/drawing/draw-bar').then((module) => module.DrawBar), {
  loading: () => null,
})
export const DrawLayer = dynamic(() => import('@/components/drawing/draw-layer').then((module) => module.DrawLayer), {
  loading: () => null,
})
// Most comments are not drawn.
const DrawnShapes = dynamic(() => import('@/components/drawing/drawn-shapes').then((module) => module.DrawnShapes), {
  loading: () => null,
})

/** The pens over the image while they are in hand, or the button that takes them. */
export function Pens({
  drawing,
  isOn,
  setOn,
  write,
  mayDraw,
  children,
}: {
  drawing: Drawing
  isOn: boolean
  setOn: (isOn: boolean) => void
  write: () => void
  mayDraw: boolean
  /** What else can be done with the image. */
  children?: ReactNode
}) {
  if (!mayDraw && !children) return null
  if (!isOn) {
    return (
      <div className="flex flex-wrap justify-center gap-1 border-b border-line bg-surface px-2 py-1 empty:hidden">
        {mayDraw && (
          <Button size="sm" variant="ghost" onClick={() => setOn(true)}>
            <PenLine />
            {drawing.shapes.length > 0 ? 'Go on drawing' : 'Draw on it'}
          </Button>
        )}
        {children}
      </div>
    )
  }
  const stop = () => setOn(false)
  return (
    <DrawBar
      drawing={drawing}
      hasKeys={false}
      stop={stop}
      write={() => {
        stop()
        write()
      }}
    />
  )
}

/** Numbered as the comments below are; of a video those of the time it shows. */
export function Marks({
  file,
  page,
  time,
  draft,
  drawing,
}: {
  file: RoomFile
  page: number | null
  time: number | null
  draft: Anchor | null
  drawing: Drawing
}) {
  const marks = file.comments.map(({ anchor, shapes, is_resolved }, index) => ({
    anchor,
    shapes: is_resolved ? [] : shapes,
    label: String(index + 1),
  }))
  const mine = drawing.shapes.length > 0 ? null : draft
  return [...marks, { anchor: mine, shapes: [], label: '+' }].map(({ anchor, shapes, label }) => {
    if (anchor?.kind !== 'point' && anchor?.kind !== 'region') return null
    if (!isHere(anchor, page ?? anchor.page ?? 1, time)) return null
    return (
      <span key={label} aria-hidden="true">
        <DrawnShapes shapes={shapes} />
        <PlaceMark place={anchor} isDrawn={shapes.length > 0} label={label} />
      </span>
    )
  })
}

const REPEATS = Array.from({ length: 24 }, (_, index) => index)

/** The viewer's name all over the image: who passes a screenshot of it on is known. */
export function Watermark({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <span
      aria-hidden="true"
      data-watermark
      className="pointer-events-none absolute inset-0 grid auto-rows-max grid-cols-2 content-around justify-items-center overflow-hidden select-none sm:grid-cols-3"
    >
      {REPEATS.map((index) => (
        <span
          key={index}
          className="my-4 max-w-48 -rotate-24 truncate text-sm font-semibold text-white/45 [text-shadow:0_0_2px_rgb(0_0_0/0.6)]"
        >
          {text}
        </span>
      ))}
    </span>
  )
}
