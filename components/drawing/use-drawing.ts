'use client'

import { useMemo, useState } from 'react'
import { toast } from 'sonner'
import { announce } from '@/components/ui/announcer'
import { pointsOf, regionAround } from '@/lib/domain/review/rules'
import type { Anchor, Shape } from '@/lib/domain/review/schema'
import { MOST_POINTS, MOST_SHAPES, type ShapeColour, type ShapeKind } from '@/lib/vocabulary'

/** The image that is drawn on: a page of a document, a frame of a video at its seconds, or the only one there is. */
export type Place = { page?: number; time?: number }

export const SHAPE_NAMES: Record<ShapeKind, string> = { stroke: 'Freehand', arrow: 'Arrow', box: 'Box', text: 'Label' }
export const COLOUR_NAMES: Record<ShapeColour, string> = {
  red: 'Red',
  yellow: 'Yellow',
  green: 'Green',
  blue: 'Blue',
  black: 'Black',
  white: 'White',
}

type Drawn = { shapes: readonly Shape[]; place: Place; past: readonly (readonly Shape[])[] }
const NOTHING: Drawn = { shapes: [], place: {}, past: [] }
/** Steps that can be taken back. */
const STEPS = 200

/** What is drawn for a comment that is being written, and with which pen. */
export function useDrawing() {
  const [kind, putKind] = useState<ShapeKind>('stroke')
  const [isPicking, setPicking] = useState(false)
  const [colour, setColour] = useState<ShapeColour>('red')
  const [{ shapes, place, past }, setDrawn] = useState<Drawn>(NOTHING)
  /** What was begun for a new comment, while the shapes of another are changed. */
  const [begun, setBegun] = useState<Drawn | null>(null)
  const change = (next: (held: readonly Shape[]) => readonly Shape[], on?: Place) =>
    setDrawn((held) => ({
      shapes: next(held.shapes),
      place: held.shapes.length === 0 && on ? on : held.place,
      past: [...held.past, held.shapes].slice(-STEPS),
    }))
  const anchor = useMemo(
    (): Anchor | null => (shapes.length === 0 ? null : { kind: 'region', ...regionAround(shapes), ...place }),
    [shapes, place],
  )
  return {
    kind,
    setKind(next: ShapeKind) {
      putKind(next)
      setPicking(false)
    },
    /** The pointer moves what is drawn, instead of drawing. */
    isPicking,
    pick: () => setPicking(true),
    colour,
    setColour,
    shapes,
    place,
    /** The region of what is drawn, on its page or at its time; null while nothing is. */
    anchor,
    canUndo: past.length > 0,
    /** Says so, and draws nothing, when a comment would hold more than it can. */
    add(shape: Shape, on: Place): boolean {
      const points = [...shapes, shape].reduce((sum, each) => sum + pointsOf(each), 0)
      if (shapes.length >= MOST_SHAPES || points > MOST_POINTS) {
        toast.warning(
          `One comment holds at most ${MOST_SHAPES} shapes and ${MOST_POINTS} points. Send it, and go on in another.`,
        )
        return false
      }
      change((held) => [...held, shape], on)
      announce(`${SHAPE_NAMES[shape.kind]} drawn`)
      return true
    },
    put: (index: number, shape: Shape) => change((held) => held.map((each, at) => (at === index ? shape : each))),
    remove(index: number) {
      change((held) => held.filter((_, at) => at !== index))
      announce('Shape removed')
    },
    undo() {
      if (past.length === 0) return
      setDrawn((held) => ({ ...held, shapes: held.past.at(-1) ?? [], past: held.past.slice(0, -1) }))
      announce('Taken back')
    },
    clear() {
      setDrawn(NOTHING)
      setBegun(null)
      setPicking(false)
    },
    /** Takes up what was drawn before, to be changed; what was begun is kept for `giveBack`. */
    load(before: readonly Shape[], on: Place) {
      setBegun((held) => held ?? { shapes, place, past })
      setDrawn({ shapes: before, place: on, past: [] })
      setPicking(true)
    },
    /** Ends the changing of a comment: what was begun before it is there again. */
    giveBack() {
      setDrawn(begun ?? NOTHING)
      setBegun(null)
      setPicking(false)
    },
  }
}

export type Drawing = ReturnType<typeof useDrawing>

/** What the pen in hand draws where the keyboard asks for it: in the middle of the image. Null: only a pointer draws it. */
export function placedByKey(kind: ShapeKind, colour: ShapeColour, nth: number): Shape | null {
  // Each a little beside the one before, so that none hides another.
  const shift = (nth % 8) * 0.03
  if (kind === 'box') return { kind, colour, x: 0.35 + shift, y: 0.35 + shift, width: 0.3, height: 0.2 }
  if (kind === 'arrow') return { kind, colour, from: [0.35 + shift, 0.65 + shift], to: [0.5 + shift, 0.5 + shift] }
  return null
}
