import type { Box } from '../measurements'
import type { GreyImage } from './recogniser'

/** Mean grey levels of ink and ground closer together than this are no letters that could be measured. */
const LEAST_CONTRAST = 24
/** Of the width of a word: a row with less ink is one that noise or the edge of a neighbour reaches into. */
const LEAST_INK = 0.02
/** Dots and accents lie so near the letters and are so low, as shares of their height. */
const ACCENT_GAP = 0.3
const ACCENT_HEIGHT = 0.45

/**
 * The box of a word by the rows in which its letters have ink: readers state the height of the line they searched where they
 * lose the outlines of small letters, which may be twice as high, and take in parts of the lines beside. Left and right stay.
 * Where nothing parts ink from ground, the box stays as it was.
 */
export function inkBox({ data, width, height }: GreyImage, box: Box): Box {
  const [left, right] = [Math.max(0, Math.floor(box.x)), Math.min(width, Math.ceil(box.x + box.width))]
  const [top, bottom] = [Math.max(0, Math.floor(box.y)), Math.min(height, Math.ceil(box.y + box.height))]
  const isInk = inkOf(data, width, { left, right, top, bottom })
  if (!isInk) return box
  const least = Math.max(1, (right - left) * LEAST_INK)
  const bands: { from: number; to: number; edges: number }[] = []
  for (let y = top; y < bottom; y++) {
    let [ink, edges, before] = [0, 0, false]
    for (let at = y * width + left, end = y * width + right; at < end; at++) {
      const now = isInk(data[at] as number)
      if (now) ink += 1
      if (now !== before) edges += 1
      before = now
    }
    if (ink < least) continue
    const last = bands.at(-1)
    if (last?.to === y) Object.assign(last, { to: y + 1, edges: last.edges + edges })
    else bands.push({ from: y, to: y + 1, edges })
  }
  // Parts of larger letters beside have fewer edges, however much ink they have.
  const [letters] = [...bands].sort((a, b) => b.edges - a.edges)
  if (!letters) return box
  const size = letters.to - letters.from
  const own = bands.filter(
    ({ from, to }) =>
      Math.max(from - letters.to, letters.from - to) <= ACCENT_GAP * size && to - from <= ACCENT_HEIGHT * size,
  )
  const from = Math.min(letters.from, ...own.map((band) => band.from))
  const to = Math.max(letters.to, ...own.map((band) => band.to))
  return { ...box, y: from, height: to - from }
}

/**
 * By the brightness that best parts both (Otsu 1979): ink is the rarer. Null where they hardly differ.
 */
function inkOf(
  data: Uint8Array,
  width: number,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
): ((grey: number) => boolean) | null {
  const counts = new Uint32Array(256)
  let [points, sum] = [0, 0]
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left, end = y * width + right; at < end; at++) {
      const grey = data[at] as number
      counts[grey] = (counts[grey] as number) + 1
      sum += grey
      points += 1
    }
  }
  let [darker, sumDarker, best] = [0, 0, { spread: 0, limit: 0, contrast: 0, isDark: true }]
  for (let grey = 0; grey < 255; grey++) {
    darker += counts[grey] as number
    sumDarker += grey * (counts[grey] as number)
    if (darker === 0 || darker === points) continue
    const contrast = (sum - sumDarker) / (points - darker) - sumDarker / darker
    const spread = darker * (points - darker) * contrast * contrast
    if (spread > best.spread) best = { spread, limit: grey, contrast, isDark: darker <= points / 2 }
  }
  if (best.contrast < LEAST_CONTRAST) return null
  return best.isDark ? (grey) => grey <= best.limit : (grey) => grey > best.limit
}

/** Words of one line are of about one height, as near each other as words are set, and slope by no more than that. */
const SAME_HEIGHT = 2
const MOST_SPACE = 1.5
const MOST_SLOPE = 0.3
/** Heights from the first word to the last: on less, an ascender in one and a descender in the other look like a slope. */
const LEAST_LENGTH = 6
/** What is left of the height of a box at least, where its slope was taken for too much. */
const LEAST_LEFT = 0.4

/**
 * The height of letters in the direction they stand in, for boxes around words in the order in which they are read: where
 * a line slopes, the box around a word is higher by its width times the slope.
 */
export function letterHeights(boxes: readonly Box[]): number[] {
  const lines: Box[][] = []
  for (const box of boxes) {
    const line = lines.at(-1)
    const last = line?.at(-1)
    if (line && last && isBeside(last, box)) line.push(box)
    else lines.push([box])
  }
  return lines.flatMap((line) => {
    const slope = slopeOf(line)
    return line.map(({ width, height }) =>
      Math.max(LEAST_LEFT * height, (height - slope * width) * Math.hypot(1, slope)),
    )
  })
}

/** Whether a word follows another on its line. */
function isBeside(one: Box, next: Box): boolean {
  const [lower, higher] = [Math.min(one.height, next.height), Math.max(one.height, next.height)]
  const space = next.x - one.x - one.width
  return (
    higher <= SAME_HEIGHT * lower &&
    space > -lower &&
    space <= MOST_SPACE * higher &&
    Math.abs(next.y - one.y) <= MOST_SLOPE * (next.x - one.x)
  )
}

/** How steeply upper and lower edges of a line both go; 0 where it is too short to say. */
function slopeOf(line: readonly Box[]): number {
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last) return 0
  const across = last.x + last.width / 2 - first.x - first.width / 2
  const [tops, bottoms] = [last.y - first.y, last.y + last.height - first.y - first.height]
  if (across < LEAST_LENGTH * Math.min(first.height, last.height) || tops * bottoms <= 0) return 0
  return Math.min(Math.abs(tops), Math.abs(bottoms)) / across
}
