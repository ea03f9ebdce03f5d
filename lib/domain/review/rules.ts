import { type IntegrityState, MOST_POINTS, type ReviewDecision, type ShapeColour } from '@/lib/vocabulary'
import { invalidField, invalidState, quote } from '../kernel/errors'
import type { PreQcResult } from '../pre-qc/schema'
import type { Anchor, Shape } from './schema'

/** Seconds in which a user can take back a decision of theirs. */
export const UNDO_SECONDS = 60

/** What is known of a file when it is asked whether it may be approved with many others, unseen. */
export type Candidate = {
  review: { decision: ReviewDecision }
  integrity: IntegrityState
  is_current: boolean
  /** As the interface says it; null while its bytes are kept. */
  removed: object | null
}

/**
 * Why a file is not approved together with all that pass, or null when it may be. A file passes when its checks have
 * ended, none of them failed, warned or could not run, and none was waived: a waiver is one person's evaluatement of one
 * finding, so such a file is reviewed by a person.
 */
export function whyNotPassing(
  file: Candidate,
  result: (Pick<PreQcResult, 'status' | 'summary'> & { hasWaiver: boolean }) | null,
): string | null {
  if (!file.is_current) return 'A newer version replaced it.'
  if (file.review.decision !== 'pending') return `It is ${file.review.decision} already.`
  if (file.removed) return 'It was removed by a retention rule.'
  if (file.integrity !== 'sound') return 'Its integrity is not settled.'
  if (!result) return 'It was not checked.'
  if (result.status === 'failed') return 'Its checks could not be run.'
  if (result.status !== 'completed') return 'Its checks have not ended.'
  if (result.hasWaiver) return 'A finding of its checks was waived.'
  if (result.summary === 'fail') return 'Its checks failed.'
  if (result.summary === 'warning') return 'Its checks have warnings.'
  return result.summary === 'pass' ? null : 'No check applied to it.'
}

/**
 * Whether a decision can still be taken back by its author.
 * @throws `invalid_state` once the time is over
 */
export function assertUndoable(file: { name: string; decision: ReviewDecision; decidedAt: Date | null }, now: Date) {
  if (file.decision === 'pending' || !file.decidedAt) {
    throw invalidState(`${quote(file.name)} has no decision to take back.`, 'pending', ['approved', 'rejected'])
  }
  if (now.getTime() - file.decidedAt.getTime() > UNDO_SECONDS * 1000) {
    throw invalidState(
      `The decision on ${quote(file.name)} is more than ${UNDO_SECONDS} seconds old. Decide anew instead.`,
      'too_late',
      [`within ${UNDO_SECONDS} seconds`],
    )
  }
}

/**
 * A place must be in the file: no page after the last, no second after the end, no page where there are none.
 * @throws `validation_failed`
 */
export function assertPlaceIn(
  file: { name: string; kind: string; media: Record<string, unknown> },
  anchor: Anchor | null | undefined,
) {
  if (!anchor) return
  const pages = numberOf(file.media.pages)
  const duration = numberOf(file.media.durationSeconds)
  const page = 'page' in anchor ? anchor.page : undefined
  if (page !== undefined) {
    if (file.kind !== 'document')
      throw invalidField('anchor.page', 'no_pages', `${quote(file.name)} has no pages. Leave out the page.`)
    if (pages !== null && page > pages) {
      const range = pages === 1 ? 'is page 1 only' : `are pages 1 to ${pages}`
      throw invalidField('anchor.page', 'too_large', `${quote(file.name)} has no page ${page}; there ${range}.`)
    }
  }
  const time = 'time' in anchor ? anchor.time : undefined
  if (time !== undefined) {
    const last = ('end' in anchor ? anchor.end : undefined) ?? time
    if (file.kind !== 'video' && file.kind !== 'audio' && duration === null)
      throw invalidField('anchor.time', 'no_time', `${quote(file.name)} does not run. Leave out the time.`)
    // A player may stop a little after the last frame.
    if (duration !== null && last > duration + 0.5) {
      throw invalidField(
        'anchor.time',
        'too_large',
        `${quote(file.name)} ends after ${duration} s; ${last} s lies behind that.`,
      )
    }
  }
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)

/** How many points a shape is drawn through. */
export const pointsOf = (shape: Shape) =>
  shape.kind === 'stroke' ? shape.points.length : shape.kind === 'text' ? 1 : 2

/** What shapes are drawn in; labels stand on their colour, in `ink`. Each pair has a contrast of at least 4.5:1. */
export const COLOURS: Record<ShapeColour, { paint: string; ink: string }> = {
  red: { paint: '#d92d20', ink: '#ffffff' },
  yellow: { paint: '#ffd60a', ink: '#111111' },
  green: { paint: '#0b7a42', ink: '#ffffff' },
  blue: { paint: '#1257d6', ink: '#ffffff' },
  black: { paint: '#111111', ink: '#ffffff' },
  white: { paint: '#ffffff', ink: '#111111' },
}

/**
 * Shapes are drawn on one image: of a video the frame, of a document the page has to be named. They have so many points.
 * @throws `validation_failed`
 */
export function assertDrawnOn(
  file: { name: string; kind: string },
  anchor: Anchor | null | undefined,
  shapes: readonly Shape[],
) {
  const points = shapes.reduce((sum, shape) => sum + pointsOf(shape), 0)
  if (points > MOST_POINTS)
    throw invalidField(
      'shapes',
      'too_big',
      `The shapes have ${points} points in all, and may have ${MOST_POINTS}. Draw with fewer or shorter strokes.`,
    )
  if (file.kind === 'audio' || file.kind === 'archive')
    throw invalidField('shapes', 'no_image', `${quote(file.name)} has no image to draw on. Leave out the shapes.`)
  if (anchor?.kind !== 'point' && anchor?.kind !== 'region')
    throw invalidField('anchor', 'required', 'Shapes stand at a place: give the point or the region they are about.')
  if (file.kind === 'document' && anchor.page === undefined)
    throw invalidField('anchor.page', 'required', `Say on which page of ${quote(file.name)} the shapes are drawn.`)
  if (file.kind === 'video' && anchor.time === undefined)
    throw invalidField('anchor.time', 'required', `Say at which time of ${quote(file.name)} the shapes are drawn.`)
}

/** Finer than a pixel of any image that is shown. */
const round = (share: number) => Math.round(share * 10_000) / 10_000
const LEAST = 0.0001

export const roundShapes = (shapes: readonly Shape[]): Shape[] =>
  shapes.map((shape): Shape => {
    switch (shape.kind) {
      case 'stroke':
        return { ...shape, points: shape.points.map(([x, y]) => [round(x), round(y)]) }
      case 'arrow':
        return {
          ...shape,
          from: [round(shape.from[0]), round(shape.from[1])],
          to: [round(shape.to[0]), round(shape.to[1])],
        }
      case 'box':
        return {
          ...shape,
          x: round(shape.x),
          y: round(shape.y),
          width: Math.max(LEAST, round(shape.width)),
          height: Math.max(LEAST, round(shape.height)),
        }
      default:
        return { ...shape, x: round(shape.x), y: round(shape.y) }
    }
  })

type Bounds = { x: number; y: number; width: number; height: number }

/** What a shape covers; of a label only its corner is known. */
export function boundsOf(shape: Shape): Bounds {
  if (shape.kind === 'box') return shape
  if (shape.kind === 'text') return { x: shape.x, y: shape.y, width: 0, height: 0 }
  const points = shape.kind === 'stroke' ? shape.points : [shape.from, shape.to]
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** The region that holds all of the shapes, at least a thousandth of the image wide and high. */
export function regionAround(shapes: readonly Shape[]): Bounds {
  const all = shapes.map(boundsOf)
  const x = Math.min(0.999, ...all.map((each) => each.x))
  const y = Math.min(0.999, ...all.map((each) => each.y))
  const right = Math.max(...all.map((each) => each.x + each.width))
  const bottom = Math.max(...all.map((each) => each.y + each.height))
  return {
    x: round(x),
    y: round(y),
    width: Math.min(1 - round(x), Math.max(0.001, round(right - x))),
    height: Math.min(1 - round(y), Math.max(0.001, round(bottom - y))),
  }
}

/** The shape moved by shares of the image, as far as it stays inside. */
export function moveShape(shape: Shape, dx: number, dy: number): Shape {
  const { x, y, width, height } = boundsOf(shape)
  const [right, down] = [Math.min(1 - x - width, Math.max(-x, dx)), Math.min(1 - y - height, Math.max(-y, dy))]
  const moved = ([px, py]: readonly [number, number]): [number, number] => [clamp(px + right), clamp(py + down)]
  switch (shape.kind) {
    case 'stroke':
      return { ...shape, points: shape.points.map(moved) }
    case 'arrow':
      return { ...shape, from: moved(shape.from), to: moved(shape.to) }
    case 'box':
    case 'text':
      return { ...shape, x: clamp(shape.x + right), y: clamp(shape.y + down) }
  }
}

/** A box, or the head of an arrow, made larger or smaller by shares of the image; other shapes stay as they are. */
export function resizeShape(shape: Shape, dx: number, dy: number): Shape {
  if (shape.kind === 'box') {
    const width = Math.min(1 - shape.x, Math.max(0.01, shape.width + dx))
    return { ...shape, width, height: Math.min(1 - shape.y, Math.max(0.01, shape.height + dy)) }
  }
  if (shape.kind !== 'arrow') return shape
  const to: [number, number] = [clamp(shape.to[0] + dx), clamp(shape.to[1] + dy)]
  return to[0] === shape.from[0] && to[1] === shape.from[1] ? shape : { ...shape, to }
}

const clamp = (share: number) => Math.min(1, Math.max(0, share))
