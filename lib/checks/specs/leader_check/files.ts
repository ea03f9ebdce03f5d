import sharp from 'sharp'
import { drawLettering, type Lettering } from '@/fixtures/lettering'
import { type Painter, scene, writeMedia } from '@/fixtures/video'
import { bad, good, sharing } from '../files'
import { clip, EBU, stripes } from '../video-files'

/** Seven stripes over a dark part, as SMPTE has them. */
const smpte = stripes(EBU.slice(0, 7), [30, 128, 128])
/** Bars for so many seconds, then the scene. */
const leading =
  (bars: Painter, seconds: number): Painter =>
  (frame, x, y) =>
    frame < seconds * 25 ? bars(frame, x, y) : scene(frame, x, y)
const SIZE = { width: 320, height: 180, frames: 100 }
const tone = { seconds: 4, sample: (time: number) => 0.126 * Math.sin(2 * Math.PI * 1000 * time) }
const music = {
  seconds: 4,
  sample: (time: number) =>
    [220, 277.2, 329.6, 440, 554.4].reduce((sum, hertz) => sum + 0.08 * Math.sin(2 * Math.PI * hertz * time), 0),
}
const speech = {
  seconds: 4,
  sample: (time: number) =>
    0.3 * Math.sin(2 * Math.PI * (180 + 40 * Math.sin(5 * time)) * time) * Math.abs(Math.sin(9 * time)) +
    0.1 * Math.sin(2 * Math.PI * 1310 * time),
}
const toneForbidden = { thresholds: { tone: 'forbidden' } }

/** A part of a video: what it paints, by frames from its own first one. */
type Part = { seconds: number; paint: Painter }
/** These parts one after another; cards are drawn when the file is written. */
const parts = (made: () => readonly (Part | Promise<Part>)[]) => async (file: string) => {
  const all = await Promise.all(made())
  const paint: Painter = (frame, x, y) => {
    let from = 0
    for (const part of all) {
      if (frame < from + part.seconds * 25) return part.paint(frame - from, x, y)
      from += part.seconds * 25
    }
    return 16
  }
  const frames = all.reduce((sum, part) => sum + part.seconds * 25, 0)
  writeMedia(file, { video: { width: 320, height: 180, frames, paint } })
}
const moving = (seconds: number): Part => ({ seconds, paint: scene })
const dark = (seconds: number): Part => ({ seconds, paint: () => 16 })
const bars = (seconds: number): Part => ({ seconds, paint: stripes(EBU) })
/** A picture of lettering for each of these, in luma. */
const drawn = async (cards: readonly (readonly Lettering[])[], ground = '#101010') =>
  Promise.all(
    cards.map(async (card) => {
      const grey = await sharp(await drawLettering(320, 180, card, ground))
        .greyscale()
        .raw()
        .toBuffer()
      return (x: number, y: number) => 16 + ((grey[y * 320 + x] ?? 0) * 219) / 255
    }),
  )
const lines = (texts: readonly string[], size = 14): Lettering[] =>
  texts.map((text, index) => ({ text, x: 20, y: 20 + index * 28, size, colour: '#f0f0f0' }))
const SLATE = ['Client: Greenroom', 'Title: Summer sale', 'Clock: GRN/SUMM001/030', 'Duration: 30 seconds']
/** `over`: what is painted on it, or null. */
const card = async (
  seconds: number,
  texts: readonly string[],
  over: (frame: number, x: number, y: number) => number | null = () => null,
): Promise<Part> => {
  const [still] = await drawn([lines(texts)])
  return { seconds, paint: (frame, x, y) => over(frame, x, y) ?? still?.(x, y) ?? 16 }
}
/** The hand of a clock of so many turns a minute, at the right of a card; it steps, or goes all the time. */
const hand =
  (steps: number) =>
  (frame: number, x: number, y: number): number | null => {
    const turn = (Math.floor((frame / 25) * steps) / steps / 60) * 2 * Math.PI
    const [dx, dy] = [x - 275, y - 120]
    const along = dx * Math.sin(turn) - dy * Math.cos(turn)
    const beside = Math.abs(dx * Math.cos(turn) + dy * Math.sin(turn))
    return along >= 0 && along < 30 && beside < 3 ? 235 : null
  }
/** Numbers that change once a second, the last of them for one frame. */
const counting = async (numbers: readonly number[]): Promise<Part> => {
  const cards = await drawn(
    numbers.map((number) => [{ text: String(number), x: 140, y: 50, size: 70, face: 'bold', colour: '#f0f0f0' }]),
    '#303030',
  )
  return {
    seconds: numbers.length,
    paint: (frame, x, y) => {
      const at = Math.floor(frame / 25)
      return at === cards.length - 1 && frame % 25 > 0 ? 16 : (cards[at]?.(x, y) ?? 16)
    },
  }
}
/** The same with a hand that wipes the ground once a second, as SMPTE has it. */
const wiping = async (numbers: readonly number[]): Promise<Part> => {
  const numbered = await counting(numbers)
  return {
    ...numbered,
    paint: (frame, x, y) => {
      const value = numbered.paint(frame, x, y)
      const turn = (Math.atan2(x - 160, 90 - y) / (2 * Math.PI) + 1) % 1
      return Number(value) > 40 && Number(value) < 80 && turn < (frame % 25) / 25 ? 130 : value
    },
  }
}
/** Digits of a clock in a corner, over what a part paints. */
const clocked = async (part: Part): Promise<Part> => {
  const faces = await drawn(
    Array.from({ length: 10 }, (_, second) => [
      { text: `12:00:0${second}`, x: 230, y: 10, size: 16, colour: '#f0f0f0' },
    ]),
  )
  return {
    ...part,
    paint: (frame, x, y) =>
      x > 225 && y < 34 ? (faces[Math.floor(frame / 25) % 10]?.(x, y) ?? 16) : part.paint(frame, x, y),
  }
}
const slide = (shift: number): Part => ({ seconds: 1, paint: (_, x, y) => scene(shift, x, y) })
const still = (seconds: number): Part => ({ seconds, paint: (_, x, y) => scene(25, x, y) })
/** A spot that grows and shrinks once a second. */
const pulse = (seconds: number): Part => ({
  seconds,
  paint: (frame, x, y) => (Math.hypot(x - 160, y - 90) < 40 + 30 * Math.sin((2 * Math.PI * frame) / 25) ? 200 : 60),
})

export const FILES = [
  good('scene.mp4', clip(SIZE)),
  bad('ebu.mp4', clip({ ...SIZE, paint: leading(stripes(EBU), 2) })),
  bad('smpte.mp4', clip({ ...SIZE, paint: leading(smpte, 2) })),
  bad('all-bars.mov', clip({ ...SIZE, frames: 50, paint: stripes(EBU) })),
  // The rainbow goes the other way, and has other colours.
  good('rainbow.mp4', clip({ ...SIZE, paint: leading(stripes([...EBU].reverse()), 2) })),
  good(
    'other-stripes.mp4',
    clip({ ...SIZE, paint: leading(stripes([EBU[0], EBU[5], EBU[3], EBU[6]].map((one) => one ?? [16, 128, 128])), 2) }),
  ),
  bad('no-bars.mp4', clip(SIZE), { thresholds: { bars: 'required' } }),
  good('bars-wanted.mp4', clip({ ...SIZE, paint: leading(stripes(EBU), 2) }, [tone]), {
    thresholds: { bars: 'required', tone: 'required' },
  }),
  bad('tone.mp4', clip(SIZE, [tone]), toneForbidden),
  good('chord.mp4', clip(SIZE, [music]), toneForbidden),
  good('speech.mp4', clip(SIZE, [speech]), toneForbidden),
  ...sharing({ thresholds: { slate: 'forbidden', countdown: 'forbidden' } }, [
    bad(
      'slate.mp4',
      parts(() => [card(3, SLATE), dark(2), moving(2)]),
    ),
    bad(
      'slate-with-stepping-clock.mp4',
      parts(() => [card(5, SLATE, hand(1)), dark(3), moving(2)]),
    ),
    bad(
      'slate-with-running-clock.mp4',
      parts(() => [card(5, SLATE, hand(25)), dark(3), moving(2)]),
    ),
    bad(
      'countdown.mp4',
      parts(() => [counting([6, 5, 4, 3, 2]), dark(1), moving(2)]),
    ),
    bad(
      'countdown-with-hand.mp4',
      parts(() => [wiping([7, 6, 5, 4, 3, 2]), dark(1), moving(2)]),
    ),
    good(
      'moving-from-the-start.mp4',
      parts(() => [moving(4)]),
    ),
    good(
      'title-card.mp4',
      parts(() => [card(3, SLATE.slice(0, 2)), dark(1.2), moving(2)]),
    ),
    good(
      'notice-at-the-start.mp4',
      parts(() => [card(3, SLATE), moving(3)]),
    ),
    good(
      'notice-in-the-programme.mp4',
      parts(() => [moving(3), card(3, SLATE), dark(1.2), moving(2)]),
    ),
    good(
      'notice-at-the-end.mp4',
      parts(() => [moving(3), card(3, SLATE)]),
    ),
    good(
      'clock-over-the-programme.mp4',
      parts(() => [clocked(moving(5)), dark(1.2), moving(2)]),
    ),
    good(
      'clock-in-the-programme.mp4',
      parts(() => [moving(2), clocked(still(5)), dark(1.2), moving(2)]),
    ),
    good(
      'pulse.mp4',
      parts(() => [pulse(5), dark(1.2), moving(2)]),
    ),
    good(
      'slides.mp4',
      parts(() => [...[0, 90, 180, 270].map(slide), dark(1.2), moving(2)]),
    ),
  ]),
  ...sharing({ thresholds: { bars: 'required', slate: 'required', countdown: 'required' } }, [
    good(
      'whole-leader.mp4',
      parts(() => [bars(3), card(3, SLATE), counting([5, 4, 3, 2]), dark(1), moving(2)]),
    ),
    bad(
      'without-slate.mp4',
      parts(() => [bars(3), dark(1), counting([5, 4, 3, 2]), dark(1), moving(2)]),
    ),
    bad(
      'without-countdown.mp4',
      parts(() => [bars(3), card(3, SLATE), dark(2), moving(2)]),
    ),
  ]),
]
