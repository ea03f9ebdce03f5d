import sharp from 'sharp'
import { type Previews, shrink } from '../previews/shrink'

const MOST_FRAMES = 90
const TILES = 8
const TILE = { width: 320, height: 320 }
const GAP = 6
const CAPTION = 22
/** Of 255; what compression and half-pixels do stays below. */
const DIFFERS = 10
const LEAST_PIXELS = 4

/** Images of an ad that fades in are inspected until one shows something: deviation of any channel, of 255. */
const MOST_INSPECTED = 12
const PLAIN = 6

type Frame = { seconds: number; png: Buffer }

/** The images of an ad that differ from the one before, and the strip made of some of them. */
export class ContactSheet {
  private readonly frames: Frame[] = []
  private last: { png: Buffer; pixels: Buffer } | undefined

  /** True when the image differs from the one before; the first always does. */
  async add(seconds: number, png: Buffer): Promise<boolean> {
    if (this.last?.png.equals(png)) return false
    const pixels = await sharp(png).removeAlpha().raw().toBuffer()
    const isNew = !this.last || differ(this.last.pixels, pixels)
    if (!isNew) return false
    this.last = { png, pixels }
    if (this.frames.length < MOST_FRAMES) this.frames.push({ seconds, png })
    else this.frames[MOST_FRAMES - 1] = { seconds, png }
    return true
  }

  /**
   * What the ad looks like in lists: the first of its images that is not of one colour, or the first of all; null when
   * there are none.
   */
  async still(): Promise<Previews | null> {
    const [first] = this.frames
    if (!first) return null
    let shown = first
    for (const frame of this.frames.slice(0, MOST_INSPECTED)) {
      const { channels } = await sharp(frame.png).removeAlpha().stats()
      if (!channels.some(({ stdev }) => stdev > PLAIN)) continue
      shown = frame
      break
    }
    return shrink(sharp(shown.png))
  }

  /** Up to eight of them, in the order of time, each with its second; null when there are none. */
  async strip(): Promise<Buffer | null> {
    const chosen = spread(this.frames, TILES)
    if (chosen.length === 0) return null
    const tiles = await Promise.all(
      chosen.map(({ png }) =>
        sharp(png)
          .resize({ ...TILE, fit: 'inside', withoutEnlargement: true })
          .png()
          .toBuffer({ resolveWithObject: true }),
      ),
    )
    const width = Math.max(...tiles.map(({ info }) => info.width))
    const height = Math.max(...tiles.map(({ info }) => info.height))
    // Wide ads lie below each other, high ones side by side.
    const across = Math.min(chosen.length, width > height * 2 ? 2 : chosen.length > 4 && height <= width * 1.5 ? 4 : 8)
    const down = Math.ceil(chosen.length / across)
    const place = (index: number) => ({
      left: GAP + (index % across) * (width + GAP),
      top: GAP + Math.floor(index / across) * (height + CAPTION + GAP),
    })
    const captions = await Promise.all(chosen.map(({ seconds }) => caption(seconds)))
    const size = { width: GAP + across * (width + GAP), height: GAP + down * (height + CAPTION + GAP) }
    return sharp({ create: { ...size, channels: 3, background: '#16181d' } })
      .composite(
        tiles.flatMap(({ data }, index) => {
          const { left, top } = place(index)
          const words = captions[index]
          return [
            { input: data, left, top },
            ...(words ? [{ input: words, left: left + 2, top: top + height + 4 }] : []),
          ]
        }),
      )
      .webp({ quality: 82 })
      .toBuffer()
  }
}

function differ(before: Buffer, after: Buffer): boolean {
  if (before.length !== after.length) return true
  let pixels = 0
  for (let at = 0; at < before.length; at += 3) {
    const most = Math.max(
      Math.abs((before[at] ?? 0) - (after[at] ?? 0)),
      Math.abs((before[at + 1] ?? 0) - (after[at + 1] ?? 0)),
      Math.abs((before[at + 2] ?? 0) - (after[at + 2] ?? 0)),
    )
    if (most > DIFFERS) pixels += 1
    if (pixels >= LEAST_PIXELS) return true
  }
  return false
}

/** The first, the last, and evenly between them. */
function spread(frames: Frame[], most: number): Frame[] {
  if (frames.length <= most) return frames
  return Array.from(
    { length: most },
    (_, index) => frames[Math.round((index * (frames.length - 1)) / (most - 1))],
  ).filter((frame) => frame !== undefined)
}

/** `1.5 s`. A machine without any typeface draws none: the strip is then without its seconds. */
async function caption(seconds: number): Promise<Buffer | null> {
  const text = `<span foreground="#c7ccd6">${seconds.toFixed(1)} s</span>`
  return sharp({ text: { text, font: 'sans', dpi: 96, rgba: true } })
    .png()
    .toBuffer()
    .catch(() => null)
}
