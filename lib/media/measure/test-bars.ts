import type { Span } from '../measurements'
import type { ColourPoints } from './levels'

/**
 * Colour bars (EBU, SMPTE ECR 1, ARIB STD-B28, ITU-R BT.2111): upright stripes from white by yellow, cyan, green, magenta and red
 * to blue, each as wide as the others, in the upper half of the image.
 */
const ORDER = /WYCGMRB/
/** Of the height: where stripes stand in every kind of bars. */
const FROM = 0.2
const TO = 0.45
/** Grey levels a stripe may differ from row to row, and the share of columns that may. */
const UNEVEN = 8
const UNEVEN_SHARE = 0.1
/** Narrower ones are edges between stripes. */
const LEAST_SHARE = 0.05
const DARK = 0.2
const STEP_SECONDS = 1.5

export class TestBarsMeter {
  private readonly spans: Span[] = []

  take(points: ColourPoints, time: number, until: number): void {
    if (!isBars(points)) return
    const last = this.spans.at(-1)
    if (last && time - last.end < STEP_SECONDS / 3) last.end = until
    else this.spans.push({ start: time, end: until })
  }

  /** Whether bars stand at this time, as far as was looked. */
  areUp(time: number): boolean {
    return time <= (this.spans.at(-1)?.end ?? Number.NEGATIVE_INFINITY)
  }

  finish(): Span[] {
    return this.spans
  }
}

function isBars({ luma, u, v, columns, isFullRange }: ColourPoints): boolean {
  const rows = luma.length / columns
  const [top, bottom] = [Math.floor(rows * FROM), Math.ceil(rows * TO)]
  const [black, range, chroma] = isFullRange ? [0, 255, 255] : [16, 219, 224]
  let uneven = 0
  let stripes = ''
  let width = 0
  let last = ''
  const close = () => {
    if (width >= columns * LEAST_SHARE && !stripes.endsWith(last)) stripes += last
    width = 0
  }
  for (let x = 0; x < columns; x++) {
    let [least, most, y, cb, cr] = [255, 0, 0, 0, 0]
    for (let row = top; row < bottom; row++) {
      const at = row * columns + x
      const code = luma[at] as number
      if (code < least) least = code
      if (code > most) most = code
      y += code
      cb += u[at] as number
      cr += v[at] as number
    }
    if (most - least > UNEVEN) uneven += 1
    const count = bottom - top
    const colour = colourOf((y / count - black) / range, (cb / count - 128) / chroma, (cr / count - 128) / chroma)
    if (colour !== last) close()
    last = colour
    width += 1
  }
  close()
  return uneven <= columns * UNEVEN_SHARE && ORDER.test(stripes)
}

/** White and grey are W, black K; the others by which of red, green and blue they have. BT.709 does for all of them. */
function colourOf(y: number, cb: number, cr: number): string {
  const [r, g, b] = [y + 1.5748 * cr, y - 0.1873 * cb - 0.4681 * cr, y + 1.8556 * cb]
  const most = Math.max(r, g, b)
  if (most < DARK) return 'K'
  const has = (level: number) => (level > most * 0.5 ? 1 : 0)
  return 'KBGCRMYW'.charAt(has(r) * 4 + has(g) * 2 + has(b))
}
