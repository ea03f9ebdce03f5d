'use client'

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import { cn } from '@/components/ui/cn'
import { isTypingTarget } from '@/lib/client/shortcut-sequence'
import { IN_FRONT } from '@/lib/client/shortcuts'
import { boundsOf, moveShape, resizeShape } from '@/lib/domain/review/rules'
import type { Shape } from '@/lib/domain/review/schema'
import { LONGEST_LABEL } from '@/lib/vocabulary'
import { DrawnShapes } from './drawn-shapes'
import { type Spot, simplify } from './stroke'
import { COLOUR_NAMES, type Drawing, type Place, placedByKey, SHAPE_NAMES } from './use-drawing'

const percent = (share: number) => `${share * 100}%`
/** Shares of the image that an arrow key moves a shape by, alone and with Shift. */
const STEP = 0.005
const LONG_STEP = 0.05
/** Pixels below which a drag is a press. */
const LEAST = 5

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * The sheet over an image on which shapes are drawn: by mouse, pen and touch; by the keyboard Enter places a box, an arrow
 * or a label, and arrow keys move what has the focus. What is drawn stays in sight when drawing is over.
 */
export function DrawLayer({
  drawing,
  isOn,
  place,
  isHere,
  goBack,
  begin,
  stop,
}: {
  drawing: Drawing
  isOn: boolean
  /** The image that is shown now. */
  place: Place
  /** Whether what was drawn so far belongs to the image that is shown. */
  isHere: boolean
  /** Shows the image that was drawn on. */
  goBack: () => void
  /** Before a shape is begun: what moves is stopped. */
  begin?: () => void
  stop: () => void
}) {
  const sheet = useRef<HTMLDivElement>(null)
  const [under, setUnder] = useState<Shape | null>(null)
  const [label, setLabel] = useState<Spot | null>(null)
  /** What the pointer went through since it was pressed; null while it is not. */
  const path = useRef<Spot[] | null>(null)
  const shapeAt = useRef<(HTMLButtonElement | null)[]>([])
  const { shapes, kind, colour, isPicking } = drawing
  /** The shape that is being dragged, and where it is now. */
  const [dragged, setDragged] = useState<{ index: number; from: Spot; shape: Shape } | null>(null)
  const [wantsFocus, setWantsFocus] = useState<number | null>(null)

  useEffect(() => {
    if (wantsFocus === null) return
    shapeAt.current[wantsFocus]?.focus({ preventScroll: true })
    setWantsFocus(null)
  }, [wantsFocus])
  // Drawing begins at the sheet, so that Enter and the arrow keys work at once.
  useEffect(() => {
    if (isOn) sheet.current?.focus({ preventScroll: true })
  }, [isOn])

  const cancel = () => {
    path.current = null
    setDragged(null)
    setUnder(null)
    setLabel(null)
  }
  const hasBegun = under !== null || label !== null || dragged !== null
  const latest = useRef({ cancel, hasBegun, undo: drawing.undo, stop })
  latest.current = { cancel, hasBegun, undo: drawing.undo, stop }
  useEffect(() => {
    if (!isOn) return
    function handle(event: globalThis.KeyboardEvent) {
      const target = event.target instanceof HTMLElement ? event.target : null
      if (event.defaultPrevented || (target && isTypingTarget(typing(target)))) return
      if (target?.closest(IN_FRONT)) return
      const { current } = latest
      if (event.key === 'Escape') {
        if (current.hasBegun) current.cancel()
        else current.stop()
      } else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) current.undo()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [isOn])

  const at = (event: PointerEvent): Spot => {
    const rect = sheet.current?.getBoundingClientRect()
    if (!rect) return [0, 0]
    const share = (value: number) => Math.min(1, Math.max(0, value))
    return [share((event.clientX - rect.left) / rect.width), share((event.clientY - rect.top) / rect.height)]
  }
  const sizeNow = () => sheet.current?.getBoundingClientRect() ?? { width: 1, height: 1 }
  const add = (shape: Shape) => drawing.add(shape, place)

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (!isOn || event.button !== 0 || (event.target as Element).closest('input')) return
    // What is below takes the pointer to move the image, or to play.
    event.stopPropagation()
    if (!isHere) return goBack()
    if (label || isPicking) return
    begin?.()
    event.currentTarget.setPointerCapture(event.pointerId)
    path.current = [at(event)]
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (!path.current) return
    // All that the pen went through since the last frame.
    const native = event.nativeEvent.getCoalescedEvents?.() ?? []
    const moves = native.length > 0 ? native : [event.nativeEvent]
    path.current.push(...moves.map((move) => at(move as unknown as PointerEvent)))
    setUnder(shapeOf(path.current))
  }
  function onPointerUp(event: PointerEvent<HTMLDivElement>) {
    if (!isOn) return
    event.stopPropagation()
    const drawn = path.current
    path.current = null
    setUnder(null)
    if (!drawn) return
    const last = at(event)
    if (kind === 'text') {
      // After the browser has given the focus to what was pressed.
      setTimeout(() => setLabel(last))
      return
    }
    const shape = shapeOf([...drawn, last])
    if (shape) add(shape)
  }
  /** The shape along the way of the pointer; null while it is too short to be one. */
  function shapeOf(way: readonly Spot[]): Shape | null {
    const [from, to] = [way[0], way.at(-1)]
    const size = sizeNow()
    if (!from || !to) return null
    const length = Math.hypot((to[0] - from[0]) * size.width, (to[1] - from[1]) * size.height)
    if (kind === 'stroke') {
      const points = simplify(way, size)
      return way.length < 3 && length < LEAST ? null : { kind, colour, points }
    }
    if (length < LEAST || kind === 'text') return null
    if (kind === 'arrow') return { kind, colour, from, to }
    const [width, height] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])]
    if (width * size.width < LEAST || height * size.height < LEAST) return null
    return { kind, colour, x: Math.min(from[0], to[0]), y: Math.min(from[1], to[1]), width, height }
  }

  function onSheetKey(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget || event.key !== 'Enter') return
    event.preventDefault()
    if (!isHere) return goBack()
    if (kind === 'text') return setLabel([0.4, 0.4])
    const shape = placedByKey(kind, colour, shapes.length)
    if (!shape) return announce('Freehand needs a pointer. A box, an arrow or a label is placed by Enter.')
    if (add(shape)) setWantsFocus(shapes.length)
  }
  /** A shape is dragged by the pointer: moved while it is held, as far as it stays in the image. */
  const dragOf = (index: number, shape: Shape) => ({
    onPointerDown(event: PointerEvent<HTMLButtonElement>) {
      if (event.button !== 0) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      event.currentTarget.focus({ preventScroll: true })
      setDragged({ index, from: at(event), shape })
    },
    onPointerMove(event: PointerEvent<HTMLButtonElement>) {
      if (dragged?.index !== index) return
      const [x, y] = at(event)
      setDragged({ ...dragged, shape: moveShape(shape, x - dragged.from[0], y - dragged.from[1]) })
    },
    onPointerUp(event: PointerEvent<HTMLButtonElement>) {
      event.stopPropagation()
      if (dragged?.index === index && dragged.shape !== shape) drawing.put(index, dragged.shape)
      setDragged(null)
    },
  })
  const seen = dragged ? shapes.map((shape, index) => (index === dragged.index ? dragged.shape : shape)) : shapes
  function onShapeKey(event: KeyboardEvent, index: number, shape: Shape) {
    const arrow = ARROWS[event.key]
    if (arrow && !event.ctrlKey && !event.metaKey) {
      const step = event.shiftKey ? LONG_STEP : STEP
      const change = event.altKey ? resizeShape : moveShape
      drawing.put(index, change(shape, arrow[0] * step, arrow[1] * step))
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      drawing.remove(index)
      sheet.current?.focus({ preventScroll: true })
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      {isHere && <DrawnShapes shapes={under ? [...seen, under] : seen} />}
      {isOn && (
        <div
          ref={sheet}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: Enter on it places a shape
          tabIndex={0}
          role="application"
          aria-label={`Drawing sheet. ${SHAPE_NAMES[kind]}, ${COLOUR_NAMES[colour].toLowerCase()}. Enter places it, Tab goes to what is drawn, Escape ends drawing.`}
          data-mark
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={cancel}
          onDoubleClick={(event) => event.stopPropagation()}
          onKeyDown={onSheetKey}
          className={cn('absolute inset-0 touch-none select-none', !isPicking && 'cursor-crosshair')}
        >
          {isHere &&
            seen.map((shape, index) => {
              const { x, y, width, height } = boundsOf(shape)
              return (
                <button
                  // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no names; their order is what they are
                  key={index}
                  ref={(element) => {
                    shapeAt.current[index] = element
                  }}
                  type="button"
                  aria-label={`${nameOf(shape)}, ${index + 1} of ${shapes.length}. Arrow keys move it, with Alt they change its size, Delete removes it.`}
                  onKeyDown={(event) => onShapeKey(event, index, shape)}
                  {...(isPicking && dragOf(index, shapes[index] ?? shape))}
                  className={cn(
                    'absolute min-h-6 min-w-6 rounded-xs outline-offset-2',
                    isPicking
                      ? 'cursor-move outline-1 outline-white/70 outline-dashed focus-visible:outline-2 focus-visible:outline-focus focus-visible:outline-solid'
                      : 'pointer-events-none',
                  )}
                  style={{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) }}
                />
              )
            })}
        </div>
      )}
      {isOn && label && (
        <LabelField
          at={label}
          close={() => {
            setLabel(null)
            sheet.current?.focus({ preventScroll: true })
          }}
          done={(text) => add({ kind: 'text', colour, x: label[0], y: label[1], text })}
        />
      )}
    </>
  )
}

const typing = (target: HTMLElement) => ({
  tagName: target.tagName,
  isContentEditable: target.isContentEditable,
  type: target instanceof HTMLInputElement ? target.type : undefined,
})

const nameOf = (shape: Shape) =>
  shape.kind === 'text'
    ? `Label “${shape.text}”`
    : `${SHAPE_NAMES[shape.kind]}, ${COLOUR_NAMES[shape.colour].toLowerCase()}`

/** Where the words of a label are typed, at its place: Enter puts them there, Escape does not. */
function LabelField({ at, done, close }: { at: Spot; done: (text: string) => void; close: () => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isClosed = useRef(false)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const end = (isWanted: boolean) => {
    if (isClosed.current) return
    isClosed.current = true
    if (isWanted && text.trim()) done(text.trim())
    close()
  }
  return (
    <input
      ref={field}
      aria-label="Words of the label"
      data-mark
      value={text}
      maxLength={LONGEST_LABEL}
      placeholder="Label, then Enter"
      onChange={(event) => setText(event.target.value)}
      onPointerDown={(event) => event.stopPropagation()}
      onPointerUp={(event) => event.stopPropagation()}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
        event.preventDefault()
        event.stopPropagation()
        end(event.key === 'Enter')
      }}
      className={cn(
        'absolute z-10 h-8 w-44 max-w-full rounded-md border border-line-control bg-surface px-2 text-sm text-ink shadow-popover max-sm:text-base',
        at[0] > 0.6 && '-translate-x-full',
        at[1] > 0.85 && '-translate-y-full',
      )}
      style={{ left: percent(at[0]), top: percent(at[1]) }}
    />
  )
}
