'use client'

import dynamic from 'next/dynamic'
import { boxOf, cornerOf, PIN, PIN_INK, REGION } from '@/components/drawing/place-box'
import { cn } from '@/components/ui/cn'
import type { Anchor, Comment, Shape } from '@/lib/domain/review/schema'

// Most comments are not drawn.
const DrawnShapes = dynamic(() => import('@/components/drawing/drawn-shapes').then((module) => module.DrawnShapes), {
  loading: () => null,
})

/** A comment that has a place, with the number it carries in the list. */
export type Mark = { number: number; comment: Comment }
export type Draft = Anchor | null

/** How close a time of a video must be to one that is commented on for its mark to show, seconds. */
const NEAR = 0.6

export function isHere(anchor: Anchor, page: number, time: number | null) {
  const onPage = 'page' in anchor && anchor.page !== undefined ? anchor.page === page : true
  if (!('time' in anchor) || anchor.time === undefined || time === null) return onPage
  return onPage && Math.abs(anchor.time - time) <= NEAR
}

/** The places people spoke of, over the image they belong to, and the one that is being chosen. */
export function Marks({
  marks,
  draft,
  drawing,
  carried = null,
  selectedId,
  editedId = null,
  select,
  page = 1,
  time = null,
}: {
  marks: readonly Mark[]
  draft: Draft
  /** What is drawn for the draft, which is shown where it is drawn. */
  drawing: { shapes: readonly Shape[] }
  /** A comment on an earlier version, shown at the same place. */
  carried?: Comment | null
  selectedId: string | null
  /** The comment whose shapes are being changed: they stand on the sheet. */
  editedId?: string | null
  select: (id: string) => void
  page?: number
  time?: number | null
}) {
  return (
    <>
      {marks.map(({ number, comment }) => {
        const { anchor } = comment
        if (!anchor || (anchor.kind !== 'point' && anchor.kind !== 'region') || !isHere(anchor, page, time)) return null
        const isSelected = comment.id === selectedId
        return (
          <div key={comment.id}>
            {comment.shapes.length > 0 && comment.id !== editedId && (comment.resolved_at === null || isSelected) && (
              <DrawnShapes shapes={comment.shapes} isFaint={selectedId !== null && !isSelected} />
            )}
            {anchor.kind === 'region' && comment.shapes.length === 0 && (
              <span
                aria-hidden="true"
                className={cn(REGION, 'rounded-xs', isSelected ? 'bg-accent/10 outline-accent' : 'outline-ink')}
                style={boxOf(anchor)}
              />
            )}
            <button
              type="button"
              data-mark
              aria-label={`Comment ${number}: ${comment.body.slice(0, 80)}`}
              aria-pressed={isSelected}
              onClick={() => select(comment.id)}
              className={cn(PIN, 'shadow-popover', isSelected ? 'bg-accent text-on-accent' : PIN_INK)}
              style={cornerOf(anchor)}
            >
              {number}
            </button>
          </div>
        )
      })}
      {carried && <CarriedMark comment={carried} page={page} time={time} />}
      {draft && drawing.shapes.length === 0 && <DraftMark draft={draft} />}
    </>
  )
}

/** Where a comment on an earlier version stood, in this one. */
function CarriedMark({ comment, page, time }: { comment: Comment; page: number; time: number | null }) {
  const { anchor, shapes } = comment
  if ((anchor?.kind !== 'point' && anchor?.kind !== 'region') || !isHere(anchor, page, time)) return null
  return (
    <div
      role="img"
      aria-label={`Place of a comment on version ${comment.file_version}`}
      className="pointer-events-none absolute inset-0"
    >
      {shapes.length > 0 && <DrawnShapes shapes={shapes} />}
      {anchor.kind === 'region' && shapes.length === 0 && (
        <span
          className="pointer-events-none absolute rounded-xs border-2 border-dashed border-accent [box-shadow:0_0_0_1px_#fff,inset_0_0_0_1px_#fff]"
          style={boxOf(anchor)}
        />
      )}
      <span
        className="pointer-events-none absolute -translate-1/2 rounded-full border-2 border-dashed border-white bg-accent px-1.5 text-2xs leading-5 font-semibold whitespace-nowrap text-on-accent shadow-popover"
        style={cornerOf(anchor)}
      >
        v{comment.file_version}
      </span>
    </div>
  )
}

function DraftMark({ draft }: { draft: Anchor }) {
  if (draft.kind === 'region') {
    return (
      <span
        className="pointer-events-none absolute bg-accent/15 outline-2 outline-accent [box-shadow:0_0_0_1px_#fff]"
        style={boxOf(draft)}
      />
    )
  }
  if (draft.kind !== 'point') return null
  return (
    <span
      className="pointer-events-none absolute size-6 -translate-1/2 rounded-full border-2 border-white bg-accent shadow-popover"
      style={cornerOf(draft)}
    />
  )
}
