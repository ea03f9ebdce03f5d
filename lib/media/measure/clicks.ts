import type { Span } from '../measurements'
import { levelOf, type Stretch } from './sample-window'

/**
 * Clicks: up to three samples that fit to neither side, of a wave that goes on as if they were not there. The start of a
 * sound, its end and the edges of a square wave go over to another level, and are none.
 */

const MOST_SAMPLES = 3
/** Away from the line between the samples beside it: -34 dBFS. */
const LEAST_HEIGHT = 10 ** (-34 / 20)
/** How much more the wave bends there than anywhere near. */
const LEAST_BEND = 4
const BLOCK_SECONDS = 0.01
const BLOCKS_NEAR = 4
/** What may lie between the samples on either side, relative to the height. */
const MOST_STEP = 0.3
/** Something plays on both sides: -50 dBFS. */
const LEAST_LEVEL = 10 ** (-50 / 20)
const LEVEL_SECONDS = 0.02
/** Those as near to one another as this are one place. */
const JOINED_SECONDS = 0.1
const MOST_COUNTED = 100_000
const MOST_SPANS = 200

export class ClickMeter {
  private readonly milliseconds = new Set<number>()

  constructor(private readonly sampleRate: number) {}

  take(stretch: Stretch): void {
    const { samples, from, to, timeOf } = stretch
    const block = Math.round(this.sampleRate * BLOCK_SECONDS)
    const first = from - BLOCKS_NEAR * block
    const [most, places] = sharpestBends(samples, first, block, Math.ceil((to - first) / block) + BLOCKS_NEAR)
    for (let index = BLOCKS_NEAR; index < most.length - BLOCKS_NEAR; index++) {
      const bend = most[index] as number
      const at = places[index] as number
      if (bend < LEAST_HEIGHT || at < from || at >= to) continue
      // The blocks beside it may hold a part of it.
      let limit = 0
      for (let near = 2; near <= BLOCKS_NEAR; near++)
        limit = Math.max(limit, most[index - near] as number, most[index + near] as number)
      if (bend < LEAST_BEND * limit) continue
      if (this.isClick(samples, at, bend, BLOCKS_NEAR * block)) this.note(timeOf(at))
    }
  }

  finish(): { count: number; at: Span[] } {
    const spans: Span[] = []
    for (const time of [...this.milliseconds].sort((a, b) => a - b)) {
      const second = time / 1000
      const last = spans.at(-1)
      if (last && second - last.end <= JOINED_SECONDS) last.end = second
      else spans.push({ start: second, end: second })
    }
    return { count: this.milliseconds.size, at: spans.slice(0, MOST_SPANS) }
  }

  private isClick(samples: Float32Array, at: number, bend: number, near: number): boolean {
    const shape = shapeAt(samples, at)
    if (!shape) return false
    for (let other = at - near; other < at + near; other++) {
      if (other >= shape.start - 1 && other <= shape.end) continue
      if (bend < LEAST_BEND * bendAt(samples, other)) return false
    }
    const width = Math.round(this.sampleRate * LEVEL_SECONDS)
    const [before, after] = [
      levelOf(samples, shape.start - width, shape.start),
      levelOf(samples, shape.end, shape.end + width),
    ]
    return Math.min(before, after) >= LEAST_LEVEL
  }

  /** The same click on another channel is one. */
  private note(time: number): void {
    const at = Math.round(time * 1000)
    const isKnown = [at - 1, at, at + 1].some((each) => this.milliseconds.has(each))
    if (!isKnown && this.milliseconds.size < MOST_COUNTED) this.milliseconds.add(at)
  }
}

/** How far a sample lies from the middle between its neighbours, times two. */
const bendAt = (samples: Float32Array, at: number) =>
  Math.abs((samples[at - 1] as number) - 2 * (samples[at] as number) + (samples[at + 1] as number))

/** The sharpest bend of each block from `first` on, and where it is. */
function sharpestBends(
  samples: Float32Array,
  first: number,
  block: number,
  blocks: number,
): [Float32Array, Int32Array] {
  const [most, places] = [new Float32Array(blocks), new Int32Array(blocks)]
  for (let index = 0, start = first; index < blocks; index++, start += block) {
    let sharpest = 0
    let place = start
    let before = samples[start - 1] as number
    let here = samples[start] as number
    for (let at = start; at < start + block; at++) {
      const next = samples[at + 1] as number
      let bend = before - here - (here - next)
      if (bend < 0) bend = -bend
      if (bend > sharpest) {
        sharpest = bend
        place = at
      }
      before = here
      here = next
    }
    most[index] = sharpest
    places[index] = place
  }
  return [most, places]
}

/** The fewest samples at this place that lie off the line between those on both sides, which hardly differ; or null. */
function shapeAt(samples: Float32Array, at: number): { start: number; end: number } | null {
  for (let width = 1; width <= MOST_SAMPLES; width++) {
    for (let start = at - width; start <= at + 1; start++) {
      const end = start + width
      const [left, right] = [samples[start - 1] as number, samples[end] as number]
      let height = 0
      for (let each = start; each < end; each++) {
        const line = left + ((right - left) * (each - start + 1)) / (width + 1)
        height = Math.max(height, Math.abs((samples[each] as number) - line))
      }
      if (height >= LEAST_HEIGHT && Math.abs(right - left) <= MOST_STEP * height) return { start, end }
    }
  }
  return null
}
