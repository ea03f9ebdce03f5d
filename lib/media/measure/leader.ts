import type { Leader, Span } from '../measurements'
import type { Lines } from './fields'
import { COLUMNS, ROWS } from './video-meter'

/**
 * What stands before a programme on a master: a slate, lettering that stands still but for a clock, and a countdown, numbers
 * that change once a second or a hand that goes round in one. Each is part of the leader only where nothing but leader and
 * black comes before it, and black or more of the leader after it; so a title card is no slate, and a clock in the picture
 * no countdown. By frames in 160 × 90 points, of the first minutes.
 */

/** Bars of 60 s, a slate of 20 s, a countdown of 11 s and black between them (PBS), and as much again. */
const MOST_SECONDS = 180
const POINTS = COLUMNS * ROWS
/** Grey levels by which a point changes more than coding changes it. */
const CHANGED = 24
/** Shares of points: another image; a number that changes, or a hand that moves. */
const CUT = 0.3
const MOVED = 0.0005
/** A dark frame shows no lettering either: brighter points, of 8 bits, are fewer than those of a small number. */
const DARK = 40
const LIT = 0.001
const LEAST_SLATE_SECONDS = 2
/** Numbers change a second apart, give or take a frame or two that are coded over more than one. */
const SECOND_TOLERANCE = 0.09
const LEAST_COUNTED = 3
/** A hand that goes round once a second: the image is that of a second ago but for the number, and not that of half a second ago. */
const ROUND_AGAIN = 0.2
const ROUND_AWAY = 0.04
const HALF_SECOND = 0.5
/** Of the points: a number that is another one than a second ago, which it is in most frames. */
const NUMBER = 0.003
const NUMBERED = 0.8
const LEAST_ROUNDS = 3
/** Points of which one is looked at where much changes. */
const EVERY = 4
/** Between two parts of a leader something may fade, or bars end, which are looked for once a second. */
const MOST_BETWEEN = 1.1
/** The 2 stands for one frame, then 47 of black (SMPTE); 1.8 s (PBS), 3 s (DPP). A title card fades over less. */
const LEAST_BLACK = 1
/** When so long no part of a leader has stood, none can follow: one is known as such three seconds after it begins. */
const NONE_SECONDS = 5

/** Differences between neighbouring columns of a row that are edges of letters, and how many a row of lettering has; a single number has fewer. */
const EDGE = 40
const LEAST_EDGES = 10
/** Heights of lines of text, as shares of that of the image. */
const LEAST_LINE = 0.01
const MOST_LINE = 0.12

type Still = Span & { moves: number[]; lines: number }

export class LeaderMeter {
  private readonly first = new Uint8Array(POINTS)
  private readonly last = new Uint8Array(POINTS)
  private open: Still | null = null
  private hasLines = false
  private readonly stills: Still[] = []
  private readonly dark: Span[] = []
  private darkSince: number | null = null
  private readonly recent: { time: number; luma: Uint8Array }[] = []
  private round: (Span & { frames: number; numbered: number }) | null = null
  private readonly rounds: Span[] = []
  private isOver = false
  /** Until when the last part that a leader may have stood. */
  private lastPart = 0

  /** `time` in seconds from the first frame; `lines`: all lines of the frame, asked for once where an image stands. `hasBars`: it shows bars. */
  take(luma: Uint8Array, time: number, lines: () => Lines, hasBars: boolean): void {
    if (this.isOver) return
    if (time > MOST_SECONDS) {
      this.end(time)
      return
    }
    const isDark = isDarkFrame(luma)
    if (isDark) this.darkSince ??= time
    else this.closeDark(time)
    if (isDark) this.closeStill(time)
    else this.followStill(luma, time, lines)
    this.followRound(luma, time)
    this.last.set(luma)
    const isStanding = this.open && time - this.open.start >= LEAST_SLATE_SECONDS
    if (isDark || isStanding || hasBars || this.round) this.lastPart = time
    else if (time - this.lastPart > NONE_SECONDS) this.end(time)
  }

  /** `bars`: where they stand; `until`: where the video ends. */
  finish(bars: readonly Span[], until: number): Leader {
    this.end(until)
    const slates = this.stills.filter(isSlate)
    const countdowns = [...this.stills.flatMap((still) => counted(still) ?? []), ...this.rounds]
    const leader = [...slates, ...countdowns]
    const black = this.dark.filter(({ start, end }) => end - start >= LEAST_BLACK)
    const reach = (from: number, over: readonly Span[]) => {
      let end = from
      for (const each of [...over].sort((a, b) => a.start - b.start))
        if (each.start <= end + MOST_BETWEEN) end = Math.max(end, each.end)
      return end
    }
    const isPart = (part: Span) => {
      const others = [...bars, ...this.dark, ...leader].filter((each) => each !== part && each.start < part.start)
      if (reach(0, others) + MOST_BETWEEN < part.start) return false
      const end = reach(
        part.end,
        leader.filter(({ start }) => start >= part.start),
      )
      return black.some((each) => Math.abs(each.start - end) <= MOST_BETWEEN && each.end < until)
    }
    const rounded = ({ start, end }: Span) => ({ start: round(start), end: round(end) })
    return {
      slates: slates.filter(isPart).map(({ lines, ...span }) => ({ ...rounded(span), lines })),
      countdowns: countdowns.filter(isPart).map(rounded),
    }
  }

  private end(time: number): void {
    if (this.isOver) return
    this.isOver = true
    this.closeDark(time)
    this.closeStill(time)
    this.closeRound()
    this.recent.length = 0
  }

  private closeDark(time: number): void {
    if (this.darkSince !== null) this.dark.push({ start: this.darkSince, end: time })
    this.darkSince = null
  }

  private followStill(luma: Uint8Array, time: number, lines: () => Lines): void {
    if (!this.open || changed(luma, this.first, EVERY, CUT) > CUT) {
      this.closeStill(time)
      this.first.set(luma)
      this.open = { start: time, end: time, moves: [], lines: 0 }
      this.hasLines = false
      return
    }
    if (changed(luma, this.last, 1, MOVED) > MOVED) this.open.moves.push(time)
    if (this.hasLines || time - this.open.start < LEAST_SLATE_SECONDS / 2) return
    this.hasLines = true
    this.open.lines = linesOf(lines())
  }

  private closeStill(time: number): void {
    if (this.open && time - this.open.start >= LEAST_SLATE_SECONDS) this.stills.push({ ...this.open, end: time })
    this.open = null
  }

  private followRound(luma: Uint8Array, time: number): void {
    const { recent } = this
    const at = (before: number) => nearest(recent, time - before)
    const [second, half] = [at(1), at(HALF_SECOND)]
    if (second && half) {
      const again = changed(luma, second, EVERY, ROUND_AGAIN)
      const isRound = again <= ROUND_AGAIN && changed(luma, half, EVERY) >= again + ROUND_AWAY
      if (isRound) {
        this.round ??= { start: Math.max(0, time - 1), end: time, frames: 0, numbered: 0 }
        this.round.end = time
        this.round.frames += 1
        if (again > NUMBER) this.round.numbered += 1
      } else if (this.round && time - this.round.end > HALF_SECOND) this.closeRound()
    }
    recent.push({ time, luma: new Uint8Array(luma) })
    while ((recent[0]?.time ?? time) < time - 1.1) recent.shift()
  }

  private closeRound(): void {
    const { round: open } = this
    if (open && open.end - open.start >= LEAST_ROUNDS && open.numbered >= NUMBERED * open.frames)
      this.rounds.push({ start: open.start, end: open.end })
    this.round = null
  }
}

function isDarkFrame(luma: Uint8Array): boolean {
  let lit = 0
  for (let at = 0; at < POINTS; at++) if ((luma[at] as number) > DARK && ++lit >= LIT * POINTS) return false
  return true
}

/** Share of points that differ by more than coding makes them; not counted on where it is above `most`. */
function changed(one: Uint8Array, other: Uint8Array, every = 1, most = 1): number {
  let left = (most * POINTS) / every
  let points = 0
  for (let at = 0; at < POINTS && left >= 0; at += every) {
    if (Math.abs((one[at] as number) - (other[at] as number)) <= CHANGED) continue
    points += 1
    left -= 1
  }
  return (points * every) / POINTS
}

function nearest(recent: readonly { time: number; luma: Uint8Array }[], time: number): Uint8Array | null {
  const found = recent.find((each) => each.time >= time - 0.001)
  return found && found.time - time <= SECOND_TOLERANCE ? found.luma : null
}

/** Several lines of text that stand; a clock may go among them. */
const LEAST_LINES = 3
const isSlate = ({ lines }: Still) => lines >= LEAST_LINES

/** The part of a still in which something changes once a second and nothing in between; null where that is not so. */
function counted({ start, end, moves }: Still): Span | null {
  // A change that is coded over some frames is one.
  const ticks = moves.filter((time, index) => time - (moves[index - 1] ?? Number.NEGATIVE_INFINITY) > SECOND_TOLERANCE)
  const steps = [start, ...ticks].map((time, index, all) => (all[index + 1] ?? end) - time)
  const isSecond = (step: number) => Math.abs(step - 1) <= SECOND_TOLERANCE
  // The last number may stand for a frame only, and the first for longer.
  const between = steps.slice(1, -1)
  const seconds = steps.slice(0, -1).filter(isSecond).length
  if (seconds < LEAST_COUNTED || !between.every(isSecond)) return null
  return { start: isSecond(steps[0] as number) ? start : (ticks[0] as number), end }
}

/** Lines of text: rows with many edges between rows without, as high as letters are. */
export function linesOf({ data, columns, rows }: Lines): number {
  let [lines, height] = [0, 0]
  for (let row = 0; row <= rows; row++) {
    let edges = 0
    if (row < rows)
      for (let at = row * columns + 1, end = (row + 1) * columns; at < end; at++)
        if (Math.abs((data[at] as number) - (data[at - 1] as number)) > EDGE) edges += 1
    if (edges >= LEAST_EDGES) height += 1
    else {
      if (height >= LEAST_LINE * rows && height <= MOST_LINE * rows) lines += 1
      height = 0
    }
  }
  return lines
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000
