import sharp from 'sharp'
import { drawLettering } from '@/fixtures/lettering'
import { type Painter, scene } from '@/fixtures/video'
import { bad, good, sharing } from '../files'
import { clip, EBU, stripes } from '../video-files'

const SIZE = { width: 320, height: 180 }
const SLATE = ['Client: Greenroom', 'Title: Summer sale', 'Clock: GRN/SUMM001/005', 'Duration: 5 seconds']

type Layout = {
  /** Timecode of the first frame of the file. */
  from: string
  /** Seconds of each part. */
  bars?: number
  slate?: number
  black?: number
  fade?: number
  programme?: number
  hold?: number
  tail?: number
}

const bars = stripes(EBU)

/** A master: bars, slate, black, programme (which may come out of black), its last frame held, black. */
const master =
  ({ from, bars: barSeconds = 0, slate = 0, black = 0, fade = 0, programme = 3, hold = 0, tail = 0 }: Layout) =>
  async (file: string) => {
    const texts = SLATE.map((text, index) => ({ text, x: 20, y: 20 + index * 28, size: 14, colour: '#f0f0f0' }))
    const card = await sharp(await drawLettering(SIZE.width, SIZE.height, texts, '#101010'))
      .greyscale()
      .raw()
      .toBuffer()
    const atSlate = barSeconds * 25
    const [atBlack, atPicture] = [atSlate + slate * 25, Math.round((barSeconds + slate + black) * 25)]
    const [atHold, atTail] = [atPicture + programme * 25, Math.round(atPicture + (programme + hold) * 25)]
    const paint: Painter = (frame, x, y) => {
      if (frame < atSlate) return bars(frame, x, y)
      if (frame < atBlack) return 16 + ((card[y * SIZE.width + x] ?? 0) * 219) / 255
      if (frame < atPicture || frame >= atTail) return 16
      const shown = Number(scene(Math.min(frame, atHold - 1), x, y))
      const share = fade > 0 ? Math.min(1, (frame - atPicture) / (fade * 25)) : 1
      return 16 + (shown - 16) * share
    }
    return clip({ ...SIZE, frames: Math.round(atTail + tail * 25), paint, metadata: { timecode: from } })(file)
  }

const UK = { thresholds: { start: '10:00:00:00', min_black_before_seconds: 3, min_hold_seconds: 5 } }
const COMMERCIAL = { from: '09:59:54:00', slate: 3, black: 3, hold: 5 }

export const FILES = sharing(UK, [
  good('as-it-is-wanted.mov', master(COMMERCIAL)),
  good('as-it-is-wanted.mp4', master(COMMERCIAL)),
  good('out-of-black.mov', master({ ...COMMERCIAL, fade: 0.6 })),
  good('black-at-the-tail.mov', master({ ...COMMERCIAL, tail: 2 })),
  good('held-for-longer.mov', master({ ...COMMERCIAL, hold: 7 })),
  good('no-slate.mov', master({ from: '09:59:57:00', black: 3, hold: 5 })),
  good('starts-at-once.mov', master({ from: '10:00:00:00' }), {
    thresholds: { start: '10:00:00:00' },
  }),
  good('bars-before-it.mov', master({ ...COMMERCIAL, from: '09:59:51:00', bars: 3 })),
  bad('a-frame-early.mov', master({ ...COMMERCIAL, from: '09:59:53:24' })),
  bad('two-frames-late.mov', master({ ...COMMERCIAL, from: '09:59:57:02', black: 0 })),
  bad('from-nought.mov', master({ ...COMMERCIAL, from: '00:00:00:00' })),
  bad('a-second-late.mov', master({ ...COMMERCIAL, from: '09:59:55:01' })),
  bad('too-little-black.mov', master({ ...COMMERCIAL, from: '09:59:55:00', black: 2 })),
  bad('straight-from-the-slate.mov', master({ ...COMMERCIAL, from: '09:59:57:00', black: 0 })),
  bad('held-too-short.mov', master({ ...COMMERCIAL, hold: 4 })),
  bad('moves-until-the-end.mov', master({ ...COMMERCIAL, hold: 0 })),
])
