import sharp from 'sharp'
import type { EvidenceWanted } from '@/lib/checks/check'
import { decodeImage } from '../decode/image'
import { drawPage } from '../decode/pdf-page'
import { frameAt, posterFrame, upright } from '../decode/video'
import type { MediaKind } from '../facts'
import type { Raster } from '../measure/pixels'
import type { Box } from '../measurements'
import { EFFORT } from './shrink'

const LONGEST_SIDE = 1280
const STRIP_WIDTH = 480
const CURVE = { width: 1280, height: 360, top: -5, bottom: -50 }

/** Draws one piece of evidence as WebP. Runs in the sandboxed child; rejects with the decoder's reason. */
export async function drawEvidence(
  path: string,
  kind: MediaKind,
  mediaType: string,
  wanted: EvidenceWanted,
): Promise<Buffer> {
  switch (wanted.draw) {
    case 'curve':
      return sharp(Buffer.from(curveSvg(wanted)))
        .webp({ quality: 85 })
        .toBuffer()
    case 'image': {
      const raster = await decodeImage(path, mediaType)
      const marks = scaled(wanted.regions, raster.scale, raster.scale)
      return marked(raster, [{ boxes: marks, colour: FOUND }])
    }
    case 'page': {
      const raster = await drawPage(path, wanted.page)
      const by = [raster.width / wanted.size.width, raster.height / wanted.size.height] as const
      return marked(raster, [
        { boxes: scaled(wanted.bleed, ...by), colour: BLEED },
        { boxes: scaled(wanted.trim, ...by), colour: TRIM },
        { boxes: scaled(wanted.regions, ...by), colour: FOUND },
      ])
    }
    case 'frames':
      return kind === 'video' ? drawFrames(path, mediaType, wanted) : Promise.reject(new Error('it has no frames'))
  }
}

async function drawFrames(
  path: string,
  mediaType: string,
  { times, regions }: Extract<EvidenceWanted, { draw: 'frames' }>,
) {
  const taken = times.length > 0 ? times.map((time) => frameAt(path, mediaType, time)) : [posterFrame(path, mediaType)]
  const frames = await Promise.all(taken.map(upright))
  const [first, second] = frames
  if (!first) throw new Error('the video has no frame at that time')
  if (second) return strip(frames)
  return marked(first, [{ boxes: scaled(regions, first.scale, first.scale), colour: FOUND }])
}

/** Frames side by side, in the order of time. */
async function strip(frames: Raster[]): Promise<Buffer> {
  const tiles = await Promise.all(
    frames.map((raster) => opened(raster).resize({ width: STRIP_WIDTH }).png().toBuffer({ resolveWithObject: true })),
  )
  const height = Math.max(...tiles.map(({ info }) => info.height))
  const background = { r: 0, g: 0, b: 0 }
  const sheet = { width: tiles.length * (STRIP_WIDTH + 4) - 4, height, channels: 3 as const, background }
  return sharp({ create: sheet })
    .composite(tiles.map(({ data }, index) => ({ input: data, left: index * (STRIP_WIDTH + 4), top: 0 })))
    .webp({ quality: 80, effort: EFFORT })
    .toBuffer()
}

/** Distinguished by hue and by lightness; the white line beneath shows on any ground. */
const FOUND = '#e5484d'
const TRIM = '#0090ff'
const BLEED = '#f76b15'

async function marked(raster: Raster, layers: { boxes: Box[]; colour: string }[]): Promise<Buffer> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(raster.width, raster.height))
  const [width, height] = [
    Math.max(1, Math.round(raster.width * scale)),
    Math.max(1, Math.round(raster.height * scale)),
  ]
  const rects = layers.flatMap(({ boxes, colour }) =>
    boxes.map((box) => {
      const at = `x="${box.x * scale}" y="${box.y * scale}" width="${Math.max(3, box.width * scale)}" height="${Math.max(3, box.height * scale)}"`
      return `<rect ${at} stroke="#fff" stroke-width="5"/><rect ${at} stroke="${colour}" stroke-width="3"/>`
    }),
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="none">${rects.join('')}</svg>`
  return opened(raster)
    .resize(width, height)
    .composite(rects.length > 0 ? [{ input: Buffer.from(svg), left: 0, top: 0 }] : [])
    .flatten({ background: '#fff' })
    .webp({ quality: 82, effort: EFFORT })
    .toBuffer()
}

function opened({ data, width, height, channels }: Raster) {
  return sharp(data, { raw: { width, height, channels } })
}

const scaled = (boxes: readonly Box[], across: number, down: number): Box[] =>
  boxes.map(({ x, y, width, height }) => ({ x: x * across, y: y * down, width: width * across, height: height * down }))

/** Short-term loudness from -50 to -5 LUFS, a line every 5 LU, the target dashed, what was found shaded. */
function curveSvg({ seconds, curve, target, spans }: Extract<EvidenceWanted, { draw: 'curve' }>): string {
  const { width, height, top, bottom } = CURVE
  const x = (second: number) => ((second / Math.max(seconds, 1)) * width).toFixed(1)
  const y = (lufs: number) => (((top - Math.min(top, Math.max(bottom, lufs))) / (top - bottom)) * height).toFixed(1)
  const grid = Array.from({ length: 10 }, (_, index) => `M0 ${y(top - index * 5)}H${width}`).join('')
  // A value of the curve is the mean of the three seconds after it.
  const line = curve.map((lufs, index) => `${index === 0 ? 'M' : 'L'}${x(index + 1.5)} ${y(lufs ?? bottom)}`).join('')
  const shaded = spans.map(
    ({ start, end }) =>
      `<rect x="${x(start)}" y="0" width="${Math.max(3, Number(x(end - start)))}" height="${height}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="none"><rect width="${width}" height="${height}" fill="#16181d"/><path d="${grid}" stroke="#2c313a"/><g fill="${FOUND}" fill-opacity="0.35">${shaded.join('')}</g>${target === null ? '' : `<path d="M0 ${y(target)}H${width}" stroke="#46a758" stroke-width="3" stroke-dasharray="14 8"/>`}<path d="${line}" stroke="#70b8ff" stroke-width="4" stroke-linejoin="round"/></svg>`
}
