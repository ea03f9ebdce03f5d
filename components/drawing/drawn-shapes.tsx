'use client'

import { useRef } from 'react'
import { useSizeOf } from '@/components/media/use-size-of'
import { cn } from '@/components/ui/cn'
import { COLOURS } from '@/lib/domain/review/rules'
import type { Shape } from '@/lib/domain/review/schema'

type Size = { width: number; height: number }

const percent = (share: number) => `${share * 100}%`
/** Pixels of the screen, at every zoom. */
const LINE = 3
const CASING = 6
const HEAD = 16

/** What was drawn, over the image it was drawn on. It takes no part in pointing. */
export function DrawnShapes({ shapes, isFaint = false }: { shapes: readonly Shape[]; isFaint?: boolean }) {
  const frame = useRef<HTMLSpanElement>(null)
  const size = useSizeOf(frame)
  return (
    <span
      ref={frame}
      aria-hidden="true"
      data-drawn={shapes.length}
      className={cn('pointer-events-none absolute inset-0 block', isFaint && 'opacity-40')}
    >
      {size && size.width > 0 && (
        <svg
          viewBox={`0 0 ${size.width} ${size.height}`}
          className="absolute inset-0 size-full overflow-visible"
          fill="none"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          {shapes.map((shape, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no names; their order is what they are
            <Line key={index} shape={shape} size={size} />
          ))}
        </svg>
      )}
      {shapes.map((shape, index) =>
        shape.kind === 'text' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Label key={index} shape={shape} />
        ) : null,
      )}
    </span>
  )
}

/** On any image a line is seen: light colours have a dark casing, dark ones a light one. */
function Line({ shape, size }: { shape: Shape; size: Size }) {
  if (shape.kind === 'text') return null
  const { paint, ink } = COLOURS[shape.colour]
  const path = pathOf(shape, size)
  return (
    <>
      <path d={path} stroke={ink} strokeOpacity={0.75} strokeWidth={CASING} />
      <path d={path} stroke={paint} strokeWidth={LINE} />
    </>
  )
}

function Label({ shape }: { shape: Extract<Shape, { kind: 'text' }> }) {
  const { paint, ink } = COLOURS[shape.colour]
  // In the right half of the image it ends at its place, so that it is not cut off there.
  const isLeft = shape.x > 0.6
  return (
    <span
      className="absolute w-max max-w-48 rounded-sm px-1.5 py-0.5 text-sm leading-tight font-semibold wrap-anywhere [box-shadow:0_0_0_1px_var(--edge)]"
      style={{
        ...(isLeft ? { right: percent(1 - shape.x) } : { left: percent(shape.x) }),
        ...(shape.y > 0.85 ? { bottom: percent(1 - shape.y) } : { top: percent(shape.y) }),
        background: paint,
        color: ink,
        ['--edge' as string]: ink,
      }}
    >
      {shape.text}
    </span>
  )
}

/** In pixels of the screen. */
function pathOf(shape: Exclude<Shape, { kind: 'text' }>, { width, height }: Size): string {
  const at = ([x, y]: readonly [number, number]) => [x * width, y * height] as const
  const text = (points: readonly (readonly [number, number])[]) =>
    `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`
  switch (shape.kind) {
    case 'stroke':
      return text(shape.points.map(at))
    case 'box': {
      const [left, top] = at([shape.x, shape.y])
      const [right, bottom] = at([shape.x + shape.width, shape.y + shape.height])
      return `${text([
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ])}Z`
    }
    case 'arrow': {
      const [from, to] = [at(shape.from), at(shape.to)]
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
      const length = Math.min(HEAD, Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.6)
      const wing = (turn: number) =>
        [to[0] - length * Math.cos(angle + turn), to[1] - length * Math.sin(angle + turn)] as const
      return text([from, to]) + text([wing(0.5), to, wing(-0.5)])
    }
  }
}
