import { type AudioTrack, type Painter, scene, turn, type VideoTrack, writeMedia } from '@/fixtures/video'
import { sine } from './audio'
import { bad, filesOf, good, type Labelled } from './labelled'

const VIDEO = { width: 320, height: 180, framesPerSecond: 25 }
/** Small videos, where it is not the pictures that are looked at. */
const SMALL = { width: 96, height: 64 }

const label = (isFaulty: boolean) => (isFaulty ? bad : good)
const video = (seconds: number, paint: Painter) => (file: string) =>
  writeMedia(file, { video: { frames: Math.round(seconds * VIDEO.framesPerSecond), paint } })
const clip =
  (video: Partial<VideoTrack> = {}, audio: readonly AudioTrack[] = [], options?: Record<string, string>) =>
  (file: string) =>
    writeMedia(file, { video: { ...SMALL, frames: 50, ...video }, audio, ...(options && { options }) })

const during = (frame: number, from: number, seconds: number) =>
  frame >= Math.round(from * 25) && frame < Math.round((from + seconds) * 25)

function blackAndFrozen(): Labelled[] {
  const black = (from: number, lasts: number) =>
    video(4, (frame, x, y) => (during(frame, from, lasts) ? 16 : scene(frame, x, y)))
  const still = (lasts: number) => video(5, (frame, x, y) => scene(during(frame, 1, lasts) ? 25 : frame, x, y))
  return [
    ...filesOf('black_frames_check', [
      good('none.mp4', black(0, 0)),
      good('inside-0.4.mp4', black(2, 0.4)),
      good('head-0.48.mp4', black(0, 0.48)),
      bad('inside-0.6.mp4', black(2, 0.6)),
      bad('head-0.56.mp4', black(0, 0.56)),
      bad('tail-1.mp4', black(3, 1)),
      good(
        'night.mp4',
        video(3, (frame, x, y) => 16 + scene(frame, x, y) / 4),
      ),
      // Three per cent of the screen stay lit: a title on black.
      good(
        'title.mp4',
        video(3, (frame, x, y) => (y < 22 && x < 80 ? 200 : during(frame, 1, 1) ? 16 : scene(frame, x, y))),
      ),
    ]),
    ...filesOf('freeze_frames_check', [
      ...[0, 1, 1.9, 2.1, 3, 4].map((lasts) => label(lasts > 2)(`still${lasts}.mp4`, still(lasts))),
      good(
        'black-tail.mp4',
        video(5, (frame, x, y) => (frame >= 50 ? 16 : scene(frame, x, y))),
      ),
      // A clear small thing that moves over a still ground is no freeze.
      good(
        'small-mover.mp4',
        video(4, (frame, x, y) => (Math.abs(x - 20 - frame * 2) < 12 && Math.abs(y - 90) < 12 ? 220 : 60 + (x % 40))),
      ),
    ]),
  ]
}

function flashes(): Labelled[] {
  type Colour = ReturnType<Painter>
  /** So many pairs of changes a second, between two colours. */
  const flashing = (perSecond: number, one: Colour, other: Colour) =>
    video(3, (frame) => (perSecond > 0 && Math.floor((frame / 25) * perSecond * 2) % 2 === 1 ? other : one))
  // Saturated red and a grey of the same luma, so that nothing else changes.
  const [red, grey] = [[63, 102, 240] as const, [63, 128, 128] as const]
  const stripes = (pairs: number, share: number, low: number, high: number) =>
    video(2, (_frame, x, y) =>
      y < VIDEO.height * share && Math.floor((x * pairs * 2) / VIDEO.width) % 2 === 1 ? high : low,
    )
  const corner = (side: number, one: Colour, other: Colour) =>
    video(3, (frame, x, y) => (x < side && y < side && frame % 4 < 2 ? other : one))
  return filesOf('flash_check', [
    ...[0, 1, 2, 3, 4, 5, 6, 12].map((count) => label(count > 3)(`flash${count}.mp4`, flashing(count, 40, 210))),
    ...[0, 1, 3, 4, 5, 6, 12].map((count) => label(count > 3)(`red${count}.mp4`, flashing(count, grey, red))),
    // A quarter of 320 × 180 is a square of 120.
    good('corner.mp4', corner(100, 40, 210)),
    bad('large-corner.mp4', corner(140, 40, 210)),
    good('red-corner.mp4', corner(100, grey, red)),
    good(
      'faint.mp4',
      video(3, (frame) => (frame % 4 < 2 ? 100 : 90)),
    ),
    // Both above 0.80 of the relative luminance of white.
    good(
      'bright.mp4',
      video(3, (frame) => (frame % 4 < 2 ? 216 : 235)),
    ),
    good('blue6.mp4', flashing(6, grey, [63, 200, 110])),
    good('stripes4.mp4', stripes(4, 1, 40, 210)),
    good('stripes5.mp4', stripes(5, 1, 40, 210)),
    bad('stripes6.mp4', stripes(6, 1, 40, 210)),
    bad('stripes8.mp4', stripes(8, 1, 40, 210)),
    bad('stripes20.mp4', stripes(20, 1, 40, 210)),
    bad('stripes-half.mp4', stripes(12, 0.5, 40, 210)),
    good('stripes-low.mp4', stripes(12, 0.15, 40, 210)),
    good('stripes-faint.mp4', stripes(12, 1, 90, 110)),
  ])
}

function bars(): Labelled[] {
  const barred = (bar: number) =>
    video(2, (frame, x, y) => (y < bar || y >= VIDEO.height - bar ? 16 : scene(frame, x, y)))
  // One per cent of 180 rows are 1.8 of them.
  return filesOf('letterbox_check', [
    ...[0, 1, 2, 4, 12, 24].map((bar) => label(bar > 1)(`bars${bar}.mp4`, barred(bar))),
    bad(
      'pillars.mp4',
      video(2, (frame, x, y) => (x < 40 || x >= 280 ? 16 : scene(frame, x, y))),
    ),
    bad(
      'window.mp4',
      video(2, (frame, x, y) => (x < 20 || x >= 300 || y < 12 || y >= 168 ? 16 : scene(frame, x, y))),
    ),
    good(
      'dark-start.mp4',
      video(3, (frame, x, y) => (frame < 25 && y < 40 ? 16 : scene(frame, x, y))),
    ),
    good(
      'dark-sky.mp4',
      video(2, (frame, x, y) => (y < 40 ? 24 + ((x + frame) % 20) : scene(frame, x, y))),
    ),
  ])
}

function sizes(): Labelled[] {
  const sized = (width: number, height: number, aspect?: readonly [number, number]) =>
    clip({ frames: 6, width, height, ...(aspect && { aspect }) })
  const turned = (width: number, height: number) => (file: string) => {
    sized(width, height)(file)
    turn(file)
  }
  return [
    ...filesOf(
      'dimension_check',
      [
        good('exact.mp4', sized(320, 180)),
        // Pixels of 4:3 are shown wider than they are high.
        good('wide-pixels.mp4', sized(240, 180, [4, 3])),
        good('turned.mp4', turned(180, 320)),
        bad('narrow.mp4', sized(318, 180)),
        bad('wide-pixels-away.mp4', sized(320, 180, [4, 3])),
        bad('turned-away.mp4', turned(320, 180)),
      ],
      { thresholds: { sizes: ['320x180'] } },
    ),
    ...filesOf(
      'aspect_ratio_check',
      [
        good('wide.mp4', sized(320, 180)),
        good('wide-pixels.mp4', sized(240, 180, [4, 3])),
        good('wide-nearly.webm', clip({ frames: 6, width: 320, height: 182, codec: 'vp9' }), {
          thresholds: { ratios: ['16x9'], tolerance: 0.02 },
        }),
        bad('wide-hardly.mp4', sized(320, 184)),
        bad('high.mp4', turned(320, 180)),
      ],
      { thresholds: { ratios: ['16x9'] } },
    ),
  ]
}

function times(): Labelled[] {
  const rate = (numerator: number, denominator = 1, more: Partial<VideoTrack> = {}) =>
    clip({ rate: [numerator, denominator], ...more })
  // Every tenth frame stays twice as long.
  const uneven = Array.from({ length: 50 }, (_, index) => (index + Math.floor(index / 10)) * 3600)
  const named = { template: '{title}_{fps}.{ext}', thresholds: {} }
  const spot = { template: '{title}_{duration}.{ext}', thresholds: {} }
  return [
    ...filesOf(
      'frame_rate_check',
      [
        good('25.mp4', rate(25)),
        good('29.97.mp4', rate(30_000, 1001)),
        good('29.97.mov', rate(30_000, 1001, { codec: 'prores', pixels: 'yuv422p10' })),
        // Matroska counts in milliseconds: frames come after 33 or 34 of them.
        good('29.97.webm', rate(30_000, 1001, { codec: 'vp9', frames: 40 })),
        good('reordered.mp4', rate(25, 1, { options: { 'x264-params': 'bframes=3:b-adapt=0' } })),
        good('spot_30.mp4', rate(30_000, 1001), named),
        bad('30.mp4', rate(30)),
        bad('24.mp4', rate(24)),
        bad('30.webm', rate(30, 1, { codec: 'vp9' })),
        bad('uneven.mp4', rate(25, 1, { times: uneven }), { thresholds: {} }),
        bad('spot_25.mp4', rate(24), named),
      ],
      { thresholds: { rates: [25, 29.97] } },
    ),
    ...filesOf(
      'duration_check',
      [
        good('50-frames.mp4', clip({ frames: 50 })),
        good('51-frames.mp4', clip({ frames: 51 })),
        good('49-frames.mp4', clip({ frames: 49 })),
        good('sound-longer.mp4', clip({ frames: 50 }, [{ seconds: 2.4 }])),
        good('spot_2s.mp4', clip({ frames: 60 }), spot),
        bad('52-frames.mp4', clip({ frames: 52 })),
        bad('48-frames.mp4', clip({ frames: 48 })),
        bad('spot-long_2s.mp4', clip({ frames: 63 }), spot),
      ],
      { thresholds: { lengths_seconds: [2] } },
    ),
  ]
}

function codings(): Labelled[] {
  const codec = (name: NonNullable<VideoTrack['codec']>, more: Partial<VideoTrack> = {}) =>
    clip({ frames: 12, codec: name, ...more })
  const web = { thresholds: { codecs: ['h264'] } }
  const high = { thresholds: { profiles: ['High'] } }
  const shared = { thresholds: { pixel_formats: ['yuv420p'] } }
  const master = { thresholds: { codecs: ['prores'], profiles: ['HQ'] } }
  const prores = (profile: string) => codec('prores', { pixels: 'yuv422p10', options: { profile } })
  return filesOf('video_codec_check', [
    good('h264.mp4', codec('h264'), web),
    good('h264.mkv', codec('h264'), web),
    good('high.mp4', codec('h264', { options: { profile: 'high' } }), high),
    good('full-range.mp4', codec('h264'), shared),
    good('master.mov', prores('hq'), master),
    bad('hevc.mp4', codec('hevc'), web),
    bad('vp9.webm', codec('vp9'), web),
    bad('mpeg4.mp4', codec('mpeg4'), web),
    bad('baseline.mp4', codec('h264', { options: { profile: 'baseline' } }), high),
    bad('full-colour.mp4', codec('h264', { pixels: 'yuv444p' }), shared),
    bad('ten-bits.mp4', codec('h264', { pixels: 'yuv422p10' }), shared),
    bad('proxy.mov', prores('proxy'), master),
  ])
}

function scans(): Labelled[] {
  const coded = (fields?: VideoTrack['fields']) =>
    clip({
      frames: 12,
      ...(fields && { fields, options: { 'x264-params': fields === 'top first' ? 'tff=1' : 'bff=1' } }),
    })
  const wants = (wanted: string, field_order = 'any') => ({ thresholds: { wanted, field_order } })
  return filesOf('scan_type_check', [
    good('progressive.mp4', coded()),
    good('progressive.webm', clip({ frames: 12, codec: 'vp9' })),
    good('master.mov', clip({ frames: 12, codec: 'prores', pixels: 'yuv422p10' })),
    good('top-first.mp4', coded('top first'), wants('interlaced', 'tff')),
    good('bottom-first.mp4', coded('bottom first'), wants('any', 'bff')),
    good('either.mp4', coded(), wants('any', 'tff')),
    bad('interlaced.mp4', coded('top first')),
    bad('interlaced-bottom.mp4', coded('bottom first')),
    bad('wrong-order.mp4', coded('bottom first'), wants('interlaced', 'tff')),
    bad('not-interlaced.mp4', coded(), wants('interlaced')),
  ])
}

function wholes(): Labelled[] {
  // Two bytes a pixel: 64 × 48 × 16 × 25 = 1,228,800 bits a second.
  const raw = clip({ codec: 'raw', width: 64, height: 48 })
  const vp9 = { codec: 'vp9', frames: 60 } as const
  const pcm = (seconds: number): AudioTrack => ({ codec: 'pcm', seconds })
  const tracks = (count: number) =>
    clip(
      { frames: 12 },
      Array.from({ length: count }, () => ({ seconds: 0.5 })),
    )
  const rule = (rule: string, streams: number | null = null) => ({ thresholds: { rule, streams } })
  return [
    ...filesOf('bitrate_check', [
      good('raw-least.mov', raw, { thresholds: { min_kbps: 1228 } }),
      good('raw-most.mov', raw, { thresholds: { max_kbps: 1229 } }),
      bad('raw-too-low.mov', raw, { thresholds: { min_kbps: 1230 } }),
      bad('raw-too-high.mov', raw, { thresholds: { max_kbps: 1228 } }),
    ]),
    ...filesOf('fast_start_check', [
      good('index-first.mp4', clip({}, [], { movflags: '+faststart' })),
      good('index-first.mov', clip({}, [], { movflags: '+faststart' })),
      good('fragments.mp4', clip({}, [], { movflags: '+frag_keyframe+empty_moov' })),
      good('cues-first.webm', clip(vp9, [], { cues_to_front: '1', reserve_index_space: '4096' })),
      bad('index-last.mp4', clip()),
      bad('index-last.mov', clip({ codec: 'prores', pixels: 'yuv422p10' })),
      bad('cues-last.webm', clip(vp9)),
    ]),
    ...filesOf('audio_presence_check', [
      good('one.mp4', tracks(1), rule('required')),
      good('two.mp4', tracks(2), rule('required', 2)),
      good('none.mp4', tracks(0), rule('forbidden')),
      good('none-or-two.mp4', tracks(0), rule('any', 2)),
      bad('missing.mp4', tracks(0), rule('required')),
      bad('unwanted.mp4', tracks(1), rule('forbidden')),
      bad('one-of-two.mp4', tracks(1), rule('any', 2)),
      bad('three-of-two.mp4', tracks(3), rule('required', 2)),
    ]),
    ...filesOf('av_sync_length_check', [
      ...[2, 1.91, 2.09, 1.88, 2.12, 1, 3].map((seconds) =>
        label(Math.abs(seconds - 2) > 0.1)(`sound-${seconds}.mov`, clip({}, [pcm(seconds)])),
      ),
      good('padding.mp4', clip({}, [{ seconds: 2 }])),
      bad('second-track.mov', clip({}, [pcm(2), pcm(1.5)])),
    ]),
    ...filesOf(
      'sample_rate_check',
      [
        good('48000.mp4', clip({ frames: 12 }, [{ seconds: 0.5 }])),
        bad('44100.mp4', clip({ frames: 12 }, [{ seconds: 0.5, rate: 44_100 }])),
        bad('second.mp4', clip({ frames: 12 }, [{ seconds: 0.5 }, { seconds: 0.5, rate: 44_100 }])),
      ],
      { thresholds: { rates_hz: [48_000] } },
    ),
    ...filesOf(
      'channel_layout_check',
      [
        good('stereo.mp4', clip({ frames: 12 }, [{ seconds: 0.5 }])),
        bad('mono.mp4', clip({ frames: 12 }, [{ seconds: 0.5, channels: 1 }])),
      ],
      { thresholds: { layouts: ['stereo'] } },
    ),
    ...filesOf('silence_check', [
      good('under-black.mp4', (file) =>
        writeMedia(file, {
          video: { frames: 125, paint: (frame, x, y) => (during(frame, 1, 3) ? 16 : scene(frame, x, y)) },
          audio: [{ seconds: 5, sample: (time) => (time >= 1 && time < 4 ? 0 : 0.2 * sine(time)) }],
        }),
      ),
      bad('under-pictures.mp4', (file) =>
        writeMedia(file, {
          video: { frames: 125 },
          audio: [{ seconds: 5, sample: (time) => (time >= 1 && time < 4 ? 0 : 0.2 * sine(time)) }],
        }),
      ),
    ]),
  ]
}

/** A spot of seven seconds: what is seen at a time, at a share of the picture's width and height. */
type Spot = (seconds: number, across: number, down: number) => number

/** A number from 0 to 1, always the same for the same three. */
function drawn(seed: number, shot: number, which: number): number {
  const value = Math.sin(seed * 12.9898 + shot * 78.233 + which * 37.719) * 43_758.5453
  return value - Math.floor(value)
}

/** Five shots of their own, in each of which something moves. */
const spot =
  (seed: number): Spot =>
  (seconds, across, down) => {
    const shot = Math.floor(seconds / 1.4)
    const part = (which: number) => drawn(seed, shot, which)
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

function duplicates(): Labelled[] {
  const made =
    (
      what: Spot,
      { from = 0, seconds = 7 - from, ...track }: Partial<VideoTrack> & { from?: number; seconds?: number },
    ) =>
    (file: string) => {
      const { width = 192, height = 108, rate = [25, 1] } = track
      const perSecond = rate[0] / rate[1]
      const paint: Painter = (frame, x, y) => what(from + frame / perSecond, (x + 0.5) / width, (y + 0.5) / height)
      writeMedia(file, { video: { width, height, frames: Math.round(seconds * perSecond), paint, ...track } })
    }
  /** The part of a picture that is left between two shares of its width. */
  const cropped =
    (left: number, right: number): Spot =>
    (seconds, across, down) =>
      spot(1)(seconds, left + across * (right - left), down)
  const padded: Spot = (seconds, across, down) =>
    Math.abs(down - 0.5) > 0.28 ? 16 : spot(1)(seconds, across, (down - 0.22) / 0.56)
  return [
    ...filesOf(
      'near_duplicate_check',
      [
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
      ],
      { beside: made(spot(1), {}) },
    ),
    ...filesOf(
      'near_duplicate_check',
      [
        good('framed.mp4', made(framed(spot(2), 1, 2), {})),
        bad('framed-again.mp4', made(framed(spot(1), 1, 2), { options: { 'x264-params': 'qp=36' } })),
        bad('framed-trimmed.mp4', made(framed(spot(1), 1, 2), { from: 2 })),
      ],
      { beside: made(framed(spot(1), 1, 2), {}) },
    ),
    ...filesOf(
      'near_duplicate_check',
      [good('titles.mp4', made(titles(2), {})), bad('titles-again.mp4', made(titles(1), { rate: [30, 1] }))],
      { beside: made(titles(1), {}) },
    ),
  ]
}

export const VIDEOS: Labelled[] = [
  ...duplicates(),
  ...sizes(),
  ...times(),
  ...codings(),
  ...scans(),
  ...blackAndFrozen(),
  ...flashes(),
  ...bars(),
  ...wholes(),
]
