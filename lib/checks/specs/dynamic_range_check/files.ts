import { type Painter, scene, type VideoTrack } from '@/fixtures/video'
import { bad, good } from '../files'
import { clip } from '../video-files'

/** Code points of ITU-T H.273. */
const SDR = { primaries: 1, transfer: 1, matrix: 1 }
const PQ = { primaries: 9, transfer: 16, matrix: 9 }
const HLG = { primaries: 9, transfer: 18, matrix: 9 }
const DISPLAY = 'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)'
/** Of codes up to 135 of 8 bits: 130 cd/m² of PQ. */
const dim: Painter = (frame, x, y) => 40 + (scene(frame, x, y) - 90) * 0.8
/** The same with a patch of code 200, which is 2,300 cd/m². */
const lit: Painter = (frame, x, y) => (x < 32 && y < 32 ? 200 : dim(frame, x, y))
/** Up to code 235: white of SDR, which of PQ is 10,000 cd/m². */
const whole: Painter = (frame, x, y) => (x < 32 && y < 32 ? 235 : scene(frame, x, y))
const hevc = (
  colour: NonNullable<VideoTrack['colour']>,
  states: readonly string[] = [],
  more: Partial<VideoTrack> = {},
) =>
  clip({
    codec: 'hevc',
    pixels: 'yuv420p10',
    frames: 12,
    paint: dim,
    colour,
    options: { 'x265-params': ['log-level=none', 'repeat-headers=1', ...states].join(':') },
    ...more,
  })
const allowed = (...allowed: string[]) => ({ thresholds: { allowed } })

export const FILES = [
  good('sdr.mp4', clip({ frames: 12, colour: SDR }), { thresholds: { allowed: ['sdr'], require_statement: true } }),
  good('hdr10.mp4', hevc(PQ, [DISPLAY, 'max-cll=1000,400']), allowed('hdr10')),
  good('hlg.mp4', hevc(HLG), allowed('hlg')),
  good('pq.mov', hevc(PQ)),
  good('p3.mp4', hevc({ ...PQ, primaries: 12 })),
  good('untagged.mp4', clip({ frames: 12 })),
  bad('hdr-where-sdr.mp4', hevc(PQ, [DISPLAY, 'max-cll=1000,400']), allowed('sdr')),
  bad('hlg-where-sdr.mp4', hevc(HLG), allowed('sdr')),
  bad('pq-8-bit.mp4', clip({ frames: 12, colour: PQ })),
  bad('pq-709.mp4', hevc({ ...PQ, primaries: 1 })),
  bad('no-display.mp4', hevc(PQ, ['max-cll=1000,400']), allowed('hdr10')),
  bad('no-levels.mp4', hevc(PQ, [DISPLAY]), allowed('hdr10')),
  bad('fall-above-cll.mp4', hevc(PQ, [DISPLAY, 'max-cll=400,1000'])),
  bad('levels-in-sdr.mp4', hevc(SDR, [DISPLAY, 'max-cll=1000,400'])),
  bad('brighter.mp4', hevc(PQ, [DISPLAY, 'max-cll=4000,400']), { thresholds: { max_cll_nits: 1000 } }),
  good('as-bright-as-stated.mp4', hevc(PQ, [DISPLAY, 'max-cll=2400,500'], { paint: lit })),
  bad('brighter-than-stated.mp4', hevc(PQ, [DISPLAY, 'max-cll=1000,500'], { paint: lit })),
  bad('brighter-on-average.mp4', hevc(PQ, [DISPLAY, 'max-cll=2400,5'], { paint: dim })),
  bad('sdr-marked-pq.mp4', hevc(PQ, [], { paint: whole })),
  bad('sdr-marked-hdr10.mp4', hevc(PQ, [DISPLAY, 'max-cll=10000,10000'], { paint: whole }), allowed('hdr10')),
  good('sdr-white.mp4', clip({ frames: 12, colour: SDR, paint: whole })),
  bad('untagged-where-asked.mp4', clip({ frames: 12 }), { thresholds: { require_statement: true } }),
]
