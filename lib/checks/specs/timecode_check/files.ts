import { withSystemItems, withTimecodeSamples, withTimecodeSegments } from '@/fixtures/timecode'
import { bad, good } from '../files'
import { clip } from '../video-files'

const from = (timecode: string, rate: readonly [number, number] = [25, 1]) =>
  clip({ frames: 12, rate, metadata: { timecode } })
const NTSC = [30_000, 1001] as const
const start = (start: string) => ({ thresholds: { start } })
/** Numbers of frames from midnight. */
const HOUR = 90_000
const AT_59_20 = 59 * 30 + 20
const programme = clip({ codec: 'prores', pixels: 'yuv422p10', frames: 24, metadata: { timecode: '10:00:00:00' } })
const dropping = (frames = 24) =>
  clip({ codec: 'prores', pixels: 'yuv422p10', frames, rate: NTSC, metadata: { timecode: '00:00:59;20' } })
const fast = clip({
  codec: 'prores',
  pixels: 'yuv422p10',
  frames: 24,
  rate: [50, 1],
  metadata: { timecode: '10:00:00:00' },
})
/** The frames of four bytes of timecode from one on say another number (SMPTE ST 12-1: units below, tens above). */
const later = (from: number) => (frame: number, code: Buffer) => {
  if (frame >= from) code[2] = 0x05
}

export const FILES = [
  good('ten-hours.mov', from('10:00:00:00'), start('10:00:00:00')),
  good('ten-hours.mp4', from('10:00:00:00'), start('10:00:00:00')),
  good('one-hour.mov', from('01:00:00;00', NTSC), { thresholds: { start: '01:00:00;00', drop_frame: 'drop' } }),
  good('not-dropped.mov', from('01:00:00:00', NTSC), { thresholds: { drop_frame: 'non_drop' } }),
  good('somewhere.mov', from('09:59:57:12'), { thresholds: { required: true } }),
  bad('nought.mov', from('00:00:00:00'), start('10:00:00:00')),
  bad('a-frame-early.mp4', from('09:59:59:24'), start('10:00:00:00')),
  bad('none.mp4', clip({ frames: 12 }), { thresholds: { required: true } }),
  bad('none.mov', clip({ frames: 12 }), start('10:00:00:00')),
  bad('dropped.mov', from('01:00:00;00', NTSC), { thresholds: { drop_frame: 'non_drop' } }),
  good(
    'runs-on-in-samples.mov',
    withTimecodeSamples(from('10:00:00:00'), [
      { number: 10 * HOUR, frames: 5 },
      { number: 10 * HOUR + 5, frames: 7 },
    ]),
  ),
  good(
    'runs-past-midnight.mov',
    withTimecodeSamples(from('23:59:59:20'), [
      { number: 24 * HOUR - 5, frames: 5 },
      { number: 0, frames: 7 },
    ]),
  ),
  good(
    'drops-on-its-way.mov',
    withTimecodeSamples(from('00:00:59;20', NTSC), [
      { number: AT_59_20, frames: 10 },
      { number: 1800, frames: 2 },
    ]),
  ),
  good(
    'shown-as-it-lies.mp4',
    withTimecodeSamples(
      from('10:00:00:00'),
      [{ number: 10 * HOUR, frames: 12 }],
      [
        { frames: 5, from: 0 },
        { frames: 7, from: 5 },
      ],
    ),
  ),
  good('runs-on.mxf', programme),
  good('drops-on-its-way.mxf', dropping()),
  good('pairs-of-frames.mxf', fast),
  good('segments-that-meet.mxf', withTimecodeSegments(programme, { after: 12, number: 10 * HOUR + 12 })),
  good('a-jump-that-may-be.mxf', withSystemItems(programme, later(9)), { thresholds: { max_jumps: 1 } }),
  bad(
    'a-sample-ahead.mov',
    withTimecodeSamples(from('10:00:00:00'), [
      { number: 10 * HOUR, frames: 5 },
      { number: 10 * HOUR + 6, frames: 7 },
    ]),
  ),
  bad(
    'counts-dropped-numbers.mov',
    withTimecodeSamples(from('00:00:59;20', NTSC), [
      { number: AT_59_20, frames: 10 },
      { number: 1802, frames: 2 },
    ]),
  ),
  bad(
    'cut-out.mp4',
    withTimecodeSamples(
      from('10:00:00:00'),
      [{ number: 10 * HOUR, frames: 24 }],
      [
        { frames: 5, from: 0 },
        { frames: 7, from: 15 },
      ],
    ),
  ),
  bad('five-minutes-ahead.mxf', withSystemItems(programme, later(9))),
  bad('pairs-five-minutes-ahead.mxf', withSystemItems(fast, later(9))),
  bad(
    'numbers-not-dropped.mxf',
    withSystemItems(dropping(), (_, code) => {
      // 00:01:00;02 and on as 00:01:00;00 and on.
      if (code[2] === 0x01) code[0] = (code[0] as number) - 2
    }),
  ),
  bad('segments-apart.mxf', withTimecodeSegments(programme, { after: 12, number: 11 * HOUR })),
]
