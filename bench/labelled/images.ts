import { writeFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { encode } from 'uqr'
import { heic } from '@/fixtures/heic'
import {
  densityChunk,
  exif,
  exifSegment,
  gif,
  iccChunk,
  type Paint,
  png,
  profile,
  tiff,
  withSegment,
  xmpSegment,
} from '@/fixtures/images'
import { normalFrom, randomFrom } from '@/fixtures/random'
import { scene } from '@/fixtures/video'
import { bad, filesOf, good, type Labelled } from './labelled'

const bytes = (make: () => Buffer | Promise<Buffer>) => async (file: string) => writeFileSync(file, await make())

/** A motif: soft discs on a gradient, other ones for every seed; as much of a photo as the checks need. */
export function motif(seed: number, width: number, height: number): Paint {
  const random = randomFrom(seed)
  const discs = Array.from({ length: 9 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: (0.08 + 0.2 * random()) * Math.min(width, height),
    colour: [random() * 255, random() * 255, random() * 255],
  }))
  return (x, y) => {
    let pixel = [60 + (120 * x) / width, 90 + (90 * y) / height, 140 - (60 * x) / width]
    for (const disc of discs) {
      const edge = disc.radius - Math.hypot(x - disc.x, y - disc.y)
      const share = Math.min(1, Math.max(0, edge + 0.5))
      if (share > 0) pixel = pixel.map((value, channel) => value + share * ((disc.colour[channel] ?? 0) - value))
    }
    return pixel
  }
}

const samples = (width: number, height: number, paint: Paint): Buffer => {
  const channels = paint(0, 0).length
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) for (const value of paint(x, y)) data[at++] = Math.round(value)
  }
  return data
}

/** For encoders of other libraries. */
function drawn(width: number, height: number, paint: Paint): Sharp {
  return sharp(samples(width, height, paint), { raw: { width, height, channels: paint(0, 0).length as 1 | 3 | 4 } })
}

/** A photo with grain, of the same samples every time. */
function photo(seed: number, width: number, height: number, grain = 6): Paint {
  const scene = motif(seed, width, height)
  const normal = normalFrom(seed)
  const noise = Float32Array.from({ length: width * height }, () => normal() * grain)
  return (x, y) => scene(x, y).map((value) => Math.min(255, Math.max(0, value + (noise[y * width + x] ?? 0))))
}

/** A photo as a JPEG that other files can hold. */
export const photoJpeg = (width: number, height: number) =>
  drawn(width, height, photo(6, width, height))
    .jpeg({ quality: 85 })
    .toBuffer()

const plain = (width: number, height: number) => bytes(() => png(width, height, motif(1, width, height)))
const jpeg = (width: number, height: number) => drawn(width, height, motif(2, width, height)).jpeg({ quality: 90 })

function dimensions(): Labelled[] {
  const turned = (width: number, height: number) =>
    bytes(async () =>
      withSegment(
        await jpeg(width, height).toBuffer(),
        0xe1,
        exifSegment(exif([{ tag: 0x0112, type: 'short', values: [6] }])),
      ),
    )
  const template = '{title}_{width}x{height}.{ext}'
  return filesOf(
    'dimension_check',
    [
      good('exact.png', plain(300, 250)),
      good('other.png', plain(728, 90)),
      good(
        'exact.webp',
        bytes(() =>
          drawn(300, 250, motif(1, 300, 250))
            .webp()
            .toBuffer(),
        ),
      ),
      good('turned.jpg', turned(250, 300)),
      good('hero_640x480.png', plain(640, 480), { template, thresholds: {} }),
      good('wide.png', plain(1080, 20), { thresholds: { min_width: 1080 } }),
      bad('narrow.png', plain(299, 250)),
      bad('high.png', plain(300, 251)),
      bad('mixed.png', plain(728, 250)),
      bad('turned-away.jpg', turned(300, 250)),
      bad('hero_640x481.png', plain(640, 480), { template, thresholds: {} }),
      bad('slim.png', plain(1079, 20), { thresholds: { min_width: 1080 } }),
    ],
    { thresholds: { sizes: ['300x250', '728x90'] } },
  )
}

function ratios(): Labelled[] {
  return filesOf(
    'aspect_ratio_check',
    [
      good('wide.png', plain(1600, 900)),
      good('square.png', plain(400, 400)),
      good('link.png', plain(1080, 566)),
      good('square-nearly.png', plain(400, 397)),
      good('wide-nearly.png', plain(1000, 568)),
      good('banner_4x5.png', plain(400, 500), { thresholds: {}, template: '{title}_{ratio}.{ext}' }),
      bad('square-hardly.png', plain(400, 395)),
      bad('wide-hardly.png', plain(1000, 571)),
      bad('high.png', plain(900, 1600)),
      bad('banner_5x4.png', plain(400, 500), { thresholds: {}, template: '{title}_{ratio}.{ext}' }),
    ],
    { thresholds: { ratios: ['16x9', '1x1', '1.91x1'] } },
  )
}

function colourSpaces(): Labelled[] {
  const tagged = (name: string, primaries: Parameters<typeof profile>[1]) =>
    bytes(() => png(64, 48, motif(3, 64, 48), { chunks: [iccChunk(profile(name, primaries))] }))
  const grey: Paint = (x, y) => [(x * 3 + y) % 256]
  return filesOf(
    'colour_space_check',
    [
      good('untagged.png', plain(64, 48)),
      good('tagged.png', tagged('sRGB IEC61966-2.1', 'srgb')),
      good('by-its-colours.png', tagged('Monitor of the studio', 'srgb')),
      good(
        'tagged.jpg',
        bytes(() => jpeg(64, 48).withIccProfile('srgb').toBuffer()),
      ),
      good(
        'palette.gif',
        bytes(() => gif(64, 48, { frames: 1, delay: 0 }, (_, x) => x % 4)),
      ),
      good(
        'print.jpg',
        bytes(() => jpeg(64, 48).toColourspace('cmyk').withIccProfile('cmyk').toBuffer()),
        {
          thresholds: { allowed: ['cmyk'], require_profile: true },
        },
      ),
      good(
        'grey.png',
        bytes(() => png(64, 48, grey)),
        { thresholds: { allowed: ['grey'] } },
      ),
      bad(
        'wide.jpg',
        bytes(() => jpeg(64, 48).withIccProfile('p3').toBuffer()),
      ),
      bad('adobe.png', tagged('Adobe RGB (1998)', 'adobe')),
      bad('unnamed-adobe.png', tagged('Scanner of the studio', 'adobe')),
      bad('prophoto.png', tagged('ProPhoto RGB', 'prophoto')),
      bad(
        'print-web.jpg',
        bytes(() => jpeg(64, 48).toColourspace('cmyk').withIccProfile('cmyk').toBuffer()),
      ),
      bad(
        'grey-web.png',
        bytes(() => png(64, 48, grey)),
      ),
      bad('untagged-print.png', plain(64, 48), { thresholds: { require_profile: true } }),
    ],
    { thresholds: { allowed: ['srgb'] } },
  )
}

function resolutions(): Labelled[] {
  const at = (dpi: number) => bytes(() => png(60, 40, motif(4, 60, 40), { chunks: [densityChunk(dpi)] }))
  const jfif = (dpi: number) => bytes(() => jpeg(60, 40).withMetadata({ density: dpi }).toBuffer())
  const printed = { min_dpi: 300, print_width_mm: 25.4, print_height_mm: 12.7 }
  return filesOf(
    'resolution_check',
    [
      good('300.png', at(300)),
      good('300.jpg', jfif(300)),
      good('350.png', at(350)),
      good('printed.png', plain(300, 150), { thresholds: printed }),
      bad('299.png', at(299)),
      bad('299.jpg', jfif(299)),
      bad('72.png', at(72)),
      bad('printed-narrow.png', plain(299, 150), { thresholds: printed }),
      bad('printed-low.png', plain(300, 149), { thresholds: printed }),
    ],
    { thresholds: { min_dpi: 300 } },
  )
}

function bitDepths(): Labelled[] {
  const deep: Paint = (x, y) => [x * 1000, y * 1300, 30_000]
  const grey = (depth: 1 | 2 | 4 | 8 | 16) =>
    bytes(() => png(64, 48, (x, y) => [Math.floor(((x + y) / 112) * (2 ** depth - 1))], { depth }))
  const colours = Array.from({ length: 16 }, (_, index) => [index * 16, 255 - index * 16, 90] as const)
  return filesOf(
    'bit_depth_check',
    [
      good('colour.png', plain(64, 48)),
      good('grey.png', grey(8)),
      good(
        'photo.jpg',
        bytes(() => jpeg(64, 48).toBuffer()),
      ),
      good(
        'palette.png',
        bytes(() => png(64, 48, (x) => [x % 16], { depth: 4, palette: colours })),
      ),
      good('master.png', grey(16), { thresholds: { allowed: [16] } }),
      good(
        'master.tif',
        bytes(() => tiff(64, 48, deep, 16)),
        { thresholds: { allowed: [16] } },
      ),
      good(
        'screen.tif',
        bytes(() => tiff(64, 48, (x, y) => [x * 3, y * 4, 90], 8)),
      ),
      bad('deep.png', grey(16)),
      bad('line.png', grey(1)),
      bad('coarse.png', grey(4)),
      bad(
        'deep.tif',
        bytes(() => tiff(64, 48, deep, 16)),
      ),
      bad('shallow.png', grey(8), { thresholds: { allowed: [16] } }),
    ],
    { thresholds: { allowed: [8] } },
  )
}

const ANIMATED = { frames: 3, delay: 50, repeats: 1, transparent: 3 }

function transparencies(): Labelled[] {
  const scene = motif(5, 64, 48)
  const withAlpha =
    (alpha: (x: number, y: number) => number): Paint =>
    (x, y) => [...scene(x, y), alpha(x, y)]
  const opaque = withAlpha(() => 255)
  const onePixel = withAlpha((x, y) => (x === 40 && y === 20 ? 254 : 255))
  const logo = withAlpha((x) => (x < 20 ? 0 : 255))
  const forbidden = [
    good('solid.png', plain(64, 48)),
    good(
      'unused.png',
      bytes(() => png(64, 48, opaque)),
    ),
    good(
      'unused.webp',
      bytes(() => drawn(64, 48, opaque).webp({ lossless: true }).toBuffer()),
    ),
    good(
      'solid.jpg',
      bytes(() => jpeg(64, 48).toBuffer()),
    ),
    good(
      'solid.gif',
      bytes(() => gif(64, 48, { frames: 1, delay: 0 }, (_, x) => x % 4)),
    ),
    good(
      'unused.gif',
      bytes(() => gif(64, 48, { frames: 1, delay: 0, transparent: 3 }, (_, x) => x % 3)),
    ),
    good(
      'unused-key.png',
      bytes(() => png(64, 48, (x) => [x, 90, 200], { chunks: [['tRNS', Buffer.from([0, 250, 0, 90, 0, 200])]] })),
    ),
    bad(
      'one-pixel.png',
      bytes(() => png(64, 48, onePixel)),
    ),
    bad(
      'deep.png',
      bytes(() => png(64, 48, (x, y) => [257 * x, 257 * y, 30_000, x === 9 ? 65_278 : 65_535], { depth: 16 })),
    ),
    bad(
      'logo.webp',
      bytes(() => drawn(64, 48, logo).webp({ lossless: true }).toBuffer()),
    ),
    bad(
      'logo.tif',
      bytes(() => drawn(64, 48, logo).tiff({ compression: 'lzw' }).toBuffer()),
    ),
    bad(
      'logo.gif',
      bytes(() => gif(64, 48, { frames: 1, delay: 0, transparent: 3 }, (_, x) => x % 4)),
    ),
    // What is transparent in a later frame shows the frame before it, unless that one is taken away first.
    good(
      'over.gif',
      bytes(() => gif(64, 48, { ...ANIMATED, disposal: 1 }, (frame, x) => (frame === 0 ? x % 3 : x % 4))),
    ),
    bad(
      'taken-away.gif',
      bytes(() => gif(64, 48, { ...ANIMATED, disposal: 2 }, (frame, x) => (frame === 0 ? x % 3 : x % 4))),
    ),
    bad(
      'key.png',
      bytes(() => png(64, 48, (x) => [x, 90, 200], { chunks: [['tRNS', Buffer.from([0, 20, 0, 90, 0, 200])]] })),
    ),
    bad('drawing.svg', (file) =>
      writeFileSync(
        file,
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect x="8" y="8" width="30" height="20" fill="#0a0"/></svg>',
      ),
    ),
    good('drawing-ground.svg', (file) =>
      writeFileSync(
        file,
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#fff"/><circle cx="30" cy="20" r="9" fill="#0a0"/></svg>',
      ),
    ),
  ]
  const required = [
    good(
      'cut-out.png',
      bytes(() => png(64, 48, logo)),
    ),
    bad('ground.png', plain(64, 48)),
    bad(
      'full.png',
      bytes(() => png(64, 48, opaque)),
    ),
  ]
  return [
    ...filesOf('transparency_check', forbidden, { thresholds: { rule: 'forbidden' } }),
    ...filesOf('transparency_check', required, { thresholds: { rule: 'required' } }),
  ]
}

/** Convolution with a Gaussian, in floating point, edges repeated. */
function blurred(width: number, height: number, paint: Paint, sigma: number | ((x: number, y: number) => number)) {
  const widest = typeof sigma === 'number' ? sigma : 6
  const cached = new Map<number, readonly number[]>()
  const scene = (x: number, y: number) => {
    const [column, row] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))]
    const key = row * width + column
    const found = cached.get(key) ?? paint(column, row)
    cached.set(key, found)
    return found
  }
  const radius = Math.ceil(widest * 3)
  const pass =
    (from: (x: number, y: number) => readonly number[], dx: number, dy: number): Paint =>
    (x, y) => {
      const spread = typeof sigma === 'number' ? sigma : sigma(x, y)
      if (spread < 0.1) return from(x, y)
      const sum = [0, 0, 0]
      let weights = 0
      for (let step = -radius; step <= radius; step++) {
        const weight = Math.exp((-step * step) / (2 * spread * spread))
        const pixel = from(x + step * dx, y + step * dy)
        for (let channel = 0; channel < 3; channel++)
          sum[channel] = (sum[channel] ?? 0) + weight * (pixel[channel] ?? 0)
        weights += weight
      }
      return sum.map((value) => value / weights)
    }
  const across = pass(scene, 1, 0)
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => across(x, y)))
  return pass((x, y) => rows[Math.min(height - 1, Math.max(0, y))]?.[Math.min(width - 1, Math.max(0, x))] ?? [], 0, 1)
}

/** Hard edges of every direction: what a blur takes away. */
const contours: Paint = (x, y) => {
  const spoke = Math.floor(((Math.atan2(y - 80, x - 120) + Math.PI) / Math.PI) * 12) % 2
  const ring = Math.floor(Math.hypot(x - 60, y - 60) / 14) % 2
  return spoke === ring ? [30, 50, 70] : [220, 200, 180]
}

function sharpnesses(): Labelled[] {
  const soft = (sigma: number | ((x: number, y: number) => number)) =>
    bytes(() => png(240, 160, blurred(240, 160, contours, sigma)))
  const enlarged = (times: number) =>
    bytes(() =>
      drawn(240, 160, contours)
        .resize(240 * times, 160 * times, { kernel: 'cubic' })
        .png()
        .toBuffer(),
    )
  const face = (x: number, y: number) => (Math.hypot(x - 120, y - 80) < 34 ? 0 : 5)
  return filesOf('sharpness_check', [
    good('crisp.png', soft(0)),
    good('blur-0.6.png', soft(0.6)),
    good('blur-1.png', soft(1)),
    good('face.png', soft(face)),
    good(
      'photo.jpg',
      bytes(() =>
        drawn(240, 160, blurred(240, 160, contours, 0.6))
          .jpeg({ quality: 90 })
          .toBuffer(),
      ),
    ),
    bad('blur-2.png', soft(2)),
    bad('blur-3.png', soft(3)),
    bad('blur-6.png', soft(6)),
    bad('enlarged-6.png', enlarged(6)),
    bad(
      'photo-soft.jpg',
      bytes(() =>
        drawn(240, 160, blurred(240, 160, contours, 2.5))
          .jpeg({ quality: 90 })
          .toBuffer(),
      ),
    ),
  ])
}

function compressions(): Labelled[] {
  const saved = (quality: number, options: object = {}) =>
    bytes(() =>
      drawn(320, 240, photo(6, 320, 240))
        .jpeg({ quality, ...options })
        .toBuffer(),
    )
  const again = (quality: number, grain = 6) =>
    bytes(async () =>
      sharp(
        await drawn(320, 240, photo(6, 320, 240, grain))
          .jpeg({ quality })
          .toBuffer(),
      )
        .png()
        .toBuffer(),
    )
  return filesOf('compression_check', [
    good('70.jpg', saved(70)),
    good('75.jpg', saved(75)),
    good('92.jpg', saved(92)),
    good('progressive-80.jpg', saved(80, { progressive: true })),
    good('full-colour-75.jpg', saved(75, { chromaSubsampling: '4:4:4' })),
    good(
      'never.png',
      bytes(() => png(320, 240, photo(6, 320, 240))),
    ),
    good('saved-90.png', again(90)),
    // A drawing on a raster of eight: its own contours, not the coder's.
    good(
      'pixel-art.png',
      bytes(() => png(320, 240, (x, y) => (((x >> 3) + (y >> 3)) % 2 ? [240, 200, 90] : [30, 60, 120]))),
    ),
    bad('69.jpg', saved(69)),
    bad('60.jpg', saved(60)),
    bad('progressive-40.jpg', saved(40, { progressive: true })),
    bad('15.jpg', saved(15)),
    bad('saved-10.png', again(10)),
    bad('saved-15.png', again(15)),
  ])
}

function blanks(): Labelled[] {
  const noise = (sigma: number) => {
    const normal = normalFrom(7)
    return bytes(() =>
      png(200, 150, () => {
        const value = Math.min(255, Math.max(0, 128 + sigma * normal()))
        return [value, value, value]
      }),
    )
  }
  const clear = (alpha: (x: number, y: number) => number): Paint => {
    const scene = motif(8, 200, 150)
    return (x, y) => [...scene(x, y), alpha(x, y)]
  }
  // Of a ramp over n levels the standard deviation is n / sqrt(12).
  const ramp = (levels: number) => bytes(() => png(240, 100, (x) => [100 + Math.floor((x / 240) * levels), 90, 80]))
  return filesOf('blank_check', [
    good('scene.png', plain(200, 150)),
    good('grain-4.png', noise(4)),
    good('ramp-12.png', ramp(12)),
    // One row of 150 is black: sqrt(p (1 - p)) = 8 %.
    good(
      'line.png',
      bytes(() => png(200, 150, (_, y) => (y === 70 ? [0, 0, 0] : [255, 255, 255]))),
    ),
    good(
      'logo.png',
      bytes(() =>
        png(
          200,
          150,
          clear((x, y) => (Math.hypot(x - 90, y - 70) < 12 ? 255 : 0)),
        ),
      ),
    ),
    bad(
      'white.png',
      bytes(() => png(200, 150, () => [255, 255, 255])),
    ),
    bad('grain-1.png', noise(1)),
    bad('ramp-7.png', ramp(7)),
    bad(
      'hidden.png',
      bytes(() =>
        png(
          200,
          150,
          clear(() => 0),
        ),
      ),
    ),
    bad(
      'black.jpg',
      bytes(() =>
        drawn(200, 150, () => [3, 3, 3])
          .jpeg()
          .toBuffer(),
      ),
    ),
  ])
}

function borders(): Labelled[] {
  const framed = (edge: (x: number, y: number) => number, width = 100, height = 100) =>
    bytes(() =>
      png(width, height, (x, y) => {
        const isEdge = x === 0 || y === 0 || x === width - 1 || y === height - 1
        const value = isEdge ? edge(x, y) : 255
        return [value, value, value]
      }),
    )
  // The ring of 100 × 100 pixels has 396; `count` of them, from the upper left clockwise, are white.
  const along = (x: number, y: number) => (y === 0 ? x : x === 99 ? 99 + y : y === 99 ? 198 + (99 - x) : 297 + (99 - y))
  const white = (count: number) => framed((x, y) => (along(x, y) < count ? 255 : 90))
  return filesOf('border_check', [
    good(
      'grey-border.png',
      framed(() => 0xcc),
    ),
    good(
      'dark.png',
      framed(() => 20),
    ),
    good('half.png', white(198)),
    good('quarter.png', white(99)),
    good(
      'pale-grey-border.png',
      framed(() => 225),
    ),
    bad(
      'white.png',
      framed(() => 255),
    ),
    bad(
      'nearly-white.png',
      framed(() => 245),
    ),
    bad('more-than-half.png', white(202)),
    bad(
      'clear-edge.png',
      bytes(() => png(100, 100, (x, y) => [20, 40, 60, x === 0 || y === 0 || x === 99 || y === 99 ? 0 : 255])),
    ),
  ])
}

function animations(): Labelled[] {
  const moving = (frames: number, delay: number, repeats?: number) =>
    bytes(() =>
      gif(40, 30, { frames, delay, ...(repeats !== undefined && { repeats }) }, (frame, x) => (x + frame) % 4),
    )
  const webp = (frames: number, delay: number, loop: number) =>
    bytes(() => {
      const pages = samples(40, 30 * frames, (x, y) => [(x * 6 + Math.floor(y / 30) * 40) % 256, y % 30, 90])
      return sharp(pages, { raw: { width: 40, height: 30 * frames, channels: 3, pageHeight: 30 } })
        .webp({ loop, delay: Array.from({ length: frames }, () => delay), lossless: true })
        .toBuffer()
    })
  return filesOf('animation_check', [
    // NETSCAPE2.0 states repetitions: 2 of them are three plays.
    good('ten-thrice.gif', moving(10, 100, 2)),
    good('thirty-once.gif', moving(30, 100)),
    good('ten-once.webp', webp(5, 2000, 1)),
    good('fifteen-twice.webp', webp(5, 3000, 2)),
    good('thrice.gif', moving(5, 20, 2), { thresholds: { max_plays: 3 } }),
    good('ten-a-second.gif', moving(12, 10, 0), {
      thresholds: { max_total_seconds: null, max_frames_per_second: 10 },
    }),
    // Browsers give frames without a delay a tenth of a second.
    good('undelayed.gif', moving(12, 0, 0), {
      thresholds: { max_total_seconds: null, max_frames_per_second: 10 },
    }),
    bad('endless.gif', moving(4, 50, 0)),
    bad('endless.webp', webp(4, 500, 0)),
    bad('ten-four-times.gif', moving(10, 100, 3)),
    bad('thirty-one.gif', moving(31, 100)),
    bad('sixteen-twice.webp', webp(4, 4000, 2)),
    bad('four-times.gif', moving(5, 20, 3), { thresholds: { max_plays: 3 } }),
    bad('eleven-a-second.gif', moving(12, 9, 0), {
      thresholds: { max_total_seconds: null, max_frames_per_second: 10 },
    }),
    bad('undelayed-long.gif', moving(310, 0)),
    bad('moves.gif', moving(3, 50), { thresholds: { allowed: false } }),
  ])
}

function privacy(): Labelled[] {
  const position = [
    { tag: 0, type: 'byte', values: [2, 3, 0, 0] },
    { tag: 1, type: 'ascii', values: 'N' },
    { tag: 2, type: 'rational', values: [52, 31, 12.5] },
    { tag: 3, type: 'ascii', values: 'E' },
    { tag: 4, type: 'rational', values: [13, 24, 18] },
  ] as const
  const main = { tag: 0x010f, type: 'ascii', values: 'Greenroom camera' } as const
  const photoWith = (code: number, body: Buffer) =>
    bytes(async () => withSegment(await jpeg(64, 48).toBuffer(), code, body))
  const packet = (property: string) =>
    xmpSegment(
      `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ${property}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
    )
  const gps = exif([main], [...position])
  return filesOf('metadata_privacy_check', [
    good(
      'nothing.jpg',
      bytes(() => jpeg(64, 48).toBuffer()),
    ),
    good('camera.jpg', photoWith(0xe1, exifSegment(exif([main])))),
    good('receiver-off.jpg', photoWith(0xe1, exifSegment(exif([main], [position[0]])))),
    // The date of the last fix says when, not where.
    good(
      'date-only.jpg',
      photoWith(0xe1, exifSegment(exif([main], [position[0], { tag: 0x1d, type: 'ascii', values: '2026:05:04' }]))),
    ),
    good('xmp.jpg', photoWith(0xe1, packet('dc:format="image/jpeg"'))),
    good('camera.heic', (file) => writeFileSync(file, heic(file, 128, 96, scene, exif([main])))),
    bad('position.heic', (file) => writeFileSync(file, heic(file, 128, 96, scene, gps))),
    bad('position.jpg', photoWith(0xe1, exifSegment(gps))),
    bad('xmp-position.jpg', photoWith(0xe1, packet('exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24.3E"'))),
    bad(
      'position.png',
      bytes(() => png(64, 48, motif(9, 64, 48), { chunks: [['eXIf', gps]] })),
    ),
    bad(
      'position.webp',
      bytes(() =>
        drawn(64, 48, motif(9, 64, 48))
          .webp()
          .withExif({
            IFD3: {
              GPSLatitudeRef: 'N',
              GPSLatitude: '52/1 31/1 12/1',
              GPSLongitudeRef: 'E',
              GPSLongitude: '13/1 24/1 18/1',
            },
          })
          .toBuffer(),
      ),
    ),
    bad(
      'position.avif',
      bytes(() =>
        drawn(64, 48, motif(9, 64, 48))
          .avif({ effort: 0 })
          .withExif({
            IFD3: {
              GPSLatitudeRef: 'N',
              GPSLatitude: '52/1 31/1 12/1',
              GPSLongitudeRef: 'E',
              GPSLongitude: '13/1 24/1 18/1',
            },
          })
          .toBuffer(),
      ),
    ),
  ])
}

/** A code as vector paths, by another library than the one that reads it. */
export function codeDrawing(text: string, side: number): Buffer {
  const { data, size } = encode(text, { border: 4 })
  const modules = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `<path d="M${x} ${y}h1v1h-1z"/>` : '')))
    .join('')
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/>${modules}</svg>`,
  )
}

function codes(): Labelled[] {
  const poster = (text: string | null, side = 180) =>
    bytes(() =>
      sharp({ create: { width: 800, height: 600, channels: 3, background: '#b9c7d5' } })
        .composite(text === null ? [] : [{ input: codeDrawing(text, side), left: 100, top: 80 }])
        .png()
        .toBuffer(),
    )
  const required = { thresholds: { required: true } }
  return filesOf('qr_code_check', [
    good('https.png', poster('https://example.com/a')),
    good('https-query.png', poster('https://example.com/offer?id=1')),
    good('upper-case.png', poster('HTTPS://EXAMPLE.COM/A')),
    good('mail.png', poster('mailto:office@example.com')),
    good('small.png', poster('https://example.com/a', 87), required),
    bad('http.png', poster('http://example.com/a')),
    bad('bare.png', poster('www.example.com')),
    bad('ftp.png', poster('ftp://example.com/file')),
    bad('none.png', poster(null), required),
  ])
}

function duplicates(): Labelled[] {
  const [width, height] = [320, 240]
  const original = bytes(() => png(width, height, motif(10, width, height)))
  const changed = (change: (picture: Sharp) => Sharp) =>
    bytes(() => change(drawn(width, height, motif(10, width, height))).toBuffer())
  const other = (seed: number) => bytes(() => png(width, height, motif(seed, width, height)))
  return filesOf(
    'near_duplicate_check',
    [
      good('other-11.png', other(11)),
      good('other-12.png', other(12)),
      good('other-13.png', other(13)),
      good('other-14.png', other(14)),
      good(
        'mirrored.png',
        changed((picture) => picture.flop().png()),
      ),
      bad('same.png', original),
      bad(
        'saved-again.jpg',
        changed((picture) => picture.jpeg({ quality: 50 })),
      ),
      bad(
        'half.webp',
        changed((picture) => picture.resize(160, 120).webp()),
      ),
      bad(
        'brighter.png',
        changed((picture) => picture.linear(0.9, 20).png()),
      ),
      bad(
        'trimmed.png',
        changed((picture) => picture.extract({ left: 2, top: 2, width: 316, height: 236 }).png()),
      ),
    ].map((made) => ({ ...made, beside: made.name.endsWith('.png') ? original : beside(made.name) })),
  )
}

/** The original in the type of its copy, at full quality. */
const beside = (name: string) =>
  bytes(() => {
    const picture = drawn(320, 240, motif(10, 320, 240))
    return (name.endsWith('.jpg') ? picture.jpeg({ quality: 98 }) : picture.webp({ quality: 98 })).toBuffer()
  })

export const IMAGES: Labelled[] = [
  ...duplicates(),
  ...dimensions(),
  ...ratios(),
  ...colourSpaces(),
  ...resolutions(),
  ...bitDepths(),
  ...transparencies(),
  ...sharpnesses(),
  ...compressions(),
  ...blanks(),
  ...borders(),
  ...animations(),
  ...privacy(),
  ...codes(),
]
