import type { Sharp } from 'sharp'
import { png } from '@/fixtures/images'
import { type Painter, type VideoTrack, writeMedia } from '@/fixtures/video'
import { bad, good, sharing } from '../files'
import { bytes, drawn, motif } from '../image-files'

/** The original in the type of its copy, at full quality. */
const beside = (name: string) =>
  bytes(() => {
    const image = drawn(320, 240, motif(10, 320, 240))
    return (name.endsWith('.jpg') ? image.jpeg({ quality: 98 }) : image.webp({ quality: 98 })).toBuffer()
  })
const [width, height] = [320, 240]
const original = bytes(() => png(width, height, motif(10, width, height)))

const changed = (change: (image: Sharp) => Sharp) =>
  bytes(() => change(drawn(width, height, motif(10, width, height))).toBuffer())
const other = (seed: number) => bytes(() => png(width, height, motif(seed, width, height)))

/** A spot of seven seconds: what is seen at a time, at a share of the frame's width and height. */
type Spot = (seconds: number, across: number, down: number) => number

/** A number from 0 to 1, always the same for the same three. */
function fraction(seed: number, shot: number, which: number): number {
  const value = Math.sin(seed * 12.9898 + shot * 78.233 + which * 37.719) * 43_758.5453
  return value - Math.floor(value)
}

/** Five shots of their own, in each of which something moves. */
const spot =
  (seed: number): Spot =>
  (seconds, across, down) => {
    const shot = Math.floor(seconds / 1.4)
    const part = (which: number) => fraction(seed, shot, which)
    const ground = Math.sin(across * (5 + 9 * part(1)) + 6 * part(2)) * Math.cos(down * (4 + 8 * part(3)) - 6 * part(4))
    const [x, y] = [part(5) + ((seconds % 1.4) - 0.7) * 0.15, 0.2 + 0.6 * part(6)]
    const isThing = Math.abs(across - x) < 0.09 && Math.abs(down - y) < 0.2
    return isThing ? 220 : 60 + 60 * (1 + ground)
  }

/** Black at first and a card with a brand at the end: what every spot of a campaign has. */
const framed =
  (own: Spot, black: number, card: number): Spot =>
  (seconds, across, down) => {
    if (seconds < black) return 16
    if (seconds < 7 - card) return own(seconds, across, down)
    const isBrand = Math.abs(across - 0.5) < 0.3 && Math.abs(down - 0.5) < 0.25
    return isBrand ? 60 + 150 * Math.abs(Math.sin(across * 25) * Math.cos(down * 14)) : 225
  }

/** Words that come and go on white. */
const titles =
  (seed: number): Spot =>
  (seconds, across, down) => {
    const [line, letter] = [Math.floor(down * 6), Math.floor(across * 40)]
    const isLine = line >= 2 && line <= 2 + Math.floor(seconds / 2) && line <= 4
    return isLine && (letter * 13 + line * 7 + seed * 31) % 5 < 2 && down * 6 - line > 0.3 ? 30 : 230
  }

const made =
  (what: Spot, { from = 0, seconds = 7 - from, ...track }: Partial<VideoTrack> & { from?: number; seconds?: number }) =>
  (file: string) => {
    const { width = 192, height = 108, rate = [25, 1] } = track
    const perSecond = rate[0] / rate[1]
    const paint: Painter = (frame, x, y) => what(from + frame / perSecond, (x + 0.5) / width, (y + 0.5) / height)
    writeMedia(file, { video: { width, height, frames: Math.round(seconds * perSecond), paint, ...track } })
  }

/** The part of an image that is left between two shares of its width. */
const cropped =
  (left: number, right: number): Spot =>
  (seconds, across, down) =>
    spot(1)(seconds, left + across * (right - left), down)

const padded: Spot = (seconds, across, down) =>
  Math.abs(down - 0.5) > 0.28 ? 16 : spot(1)(seconds, across, (down - 0.22) / 0.56)

export const FILES = [
  ...[
    good('other-11.png', other(11)),
    good('other-12.png', other(12)),
    good('other-13.png', other(13)),
    good('other-14.png', other(14)),
    good(
      'mirrored.png',
      changed((image) => image.flop().png()),
    ),
    bad('same.png', original),
    bad(
      'saved-again.jpg',
      changed((image) => image.jpeg({ quality: 50 })),
    ),
    bad(
      'half.webp',
      changed((image) => image.resize(160, 120).webp()),
    ),
    bad(
      'brighter.png',
      changed((image) => image.linear(0.9, 20).png()),
    ),
    bad(
      'trimmed.png',
      changed((image) => image.extract({ left: 2, top: 2, width: 316, height: 236 }).png()),
    ),
  ].map((file) => ({ ...file, beside: file.name.endsWith('.png') ? original : beside(file.name) })),
  ...sharing({ beside: made(spot(1), {}) }, [
    good('other.mp4', made(spot(3), {})),
    good('another.mp4', made(spot(8), {})),
    // The last third of the other one, at the end of a spot of its own.
    good(
      'same-end.mp4',
      made((seconds, across, down) => spot(seconds < 4.9 ? 5 : 1)(seconds, across, down), {}),
    ),
    bad('again.mp4', made(spot(1), { options: { 'x264-params': 'qp=40' } })),
    bad('slower.mp4', made(spot(1), { rate: [24, 1] })),
    bad('trimmed.mp4', made(spot(1), { from: 2 })),
    bad('trimmed-anywhere.mp4', made(spot(1), { from: 1.73 })),
    bad('half-size.mp4', made(spot(1), { width: 96, height: 54 })),
    bad('squeezed.mp4', made(spot(1), { width: 144, height: 108, aspect: [4, 3] })),
    bad('padded.mp4', made(padded, { width: 108, height: 108 })),
    bad('square.mp4', made(cropped(0.21875, 0.78125), { width: 108, height: 108 })),
    bad('upright.mp4', made(cropped(0.341796875, 0.658203125), { width: 72, height: 128 })),
  ]),
  ...sharing({ beside: made(framed(spot(1), 1, 2), {}) }, [
    good('framed.mp4', made(framed(spot(2), 1, 2), {})),
    bad('framed-again.mp4', made(framed(spot(1), 1, 2), { options: { 'x264-params': 'qp=36' } })),
    bad('framed-trimmed.mp4', made(framed(spot(1), 1, 2), { from: 2 })),
  ]),
  ...sharing({ beside: made(titles(1), {}) }, [
    good('titles.mp4', made(titles(2), {})),
    bad('titles-again.mp4', made(titles(1), { rate: [30, 1] })),
  ]),
]
