import type { FieldCounts } from '../measurements'

/**
 * Whether frames hold one moment or two, by two frames that follow one another: the method of FFmpeg's idet. A line of the
 * one frame between two lines of the other fits the better, the nearer they are in time; within a frame of two fields
 * neighbouring lines are half a frame apart.
 */

/** Luma of a frame, all of its lines, some of its columns; 8 bits, rows without padding. The meter keeps the data. */
export type Lines = { data: Uint8Array; columns: number; rows: number }

/** One field fits better than the other by so much: idet asks for 1.04, which grain and coding reach in progressive video. */
const ORDERED = 1.4
/** Lines of two frames fit so much worse than lines of one: the frames move, and each is one moment. */
const MOVES = 1.5
/** Mean misfit of a point, grey levels, below which two frames hardly differ and say nothing. */
const LEAST_MISFIT = 0.4

export class FieldMeter {
  private before: Uint8Array | null = null
  private readonly counts: FieldCounts = { top: 0, bottom: 0, progressive: 0, undecided: 0 }

  /** The first of a pair, or the second where `follows` says that the frame before was the first. */
  take(lines: Lines, follows: boolean): void {
    const { before } = this
    if (follows && before?.length === lines.data.length) this.counts[compare(before, lines)] += 1
    this.before = lines.data
  }

  finish(): FieldCounts {
    return { ...this.counts }
  }
}

function compare(before: Uint8Array, { data: after, columns, rows }: Lines): keyof FieldCounts {
  // Misfit of even and odd lines when woven into the other frame, and of lines in their own.
  let even = 0
  let odd = 0
  let own = 0
  for (let y = 1; y + 1 < rows; y++) {
    let woven = 0
    let inverse = 0
    for (let at = y * columns, end = at + columns; at < end; at++) {
      const a = 2 * (before[at] as number)
      const b = 2 * (after[at] as number)
      const aroundBefore = (before[at - columns] as number) + (before[at + columns] as number)
      const aroundAfter = (after[at - columns] as number) + (after[at + columns] as number)
      woven += Math.abs(aroundAfter - a)
      inverse += Math.abs(aroundBefore - b)
      own += Math.abs(aroundBefore - a) + Math.abs(aroundAfter - b)
    }
    if (y % 2 === 0) {
      even += woven
      odd += inverse
    } else {
      odd += woven
      even += inverse
    }
  }
  own /= 2
  const [worse, better] = [Math.max(even, odd), Math.min(even, odd)]
  if (worse - own < LEAST_MISFIT * 2 * columns * rows) return 'undecided'
  if (worse > ORDERED * better) return even > odd ? 'top' : 'bottom'
  return better > MOVES * own ? 'progressive' : 'undecided'
}
