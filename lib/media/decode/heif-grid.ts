import { AV_PIX_FMT_RGB24, AV_PKT_DATA_ICC_PROFILE, AVERROR_EOF } from 'node-av/constants'
import { Frame, Packet, type Stream } from 'node-av/lib'
import sharp from 'sharp'
import { ByteSource } from '../formats/byte-source'
import { type HeifGrid, readGrid } from '../formats/image/heif-grid'
import { readDescription } from '../formats/image/heif-items'
import { readBoxes } from '../formats/video/iso-boxes'
import { check, convertFrame } from './convert-frame'
import { LONGEST_SIDE, openDecoder, openFormat, type RotatedFrame, turnOf } from './video'

const HEIC = 'image/heic'
/** Three bytes each, and as many again while they are reduced or written. */
const MOST_PIXELS = 100_000_000

/** An image of a grid, put together; not yet turned. */
export type GridImage = {
  /** RGB of 8 bits, row by row. */
  data: Buffer
  width: number
  height: number
  /** As EXIF counts it. */
  orientation: number
  profile: Uint8Array | null
}

/**
 * Decodes a HEIC whose main image is a grid of images, each a stream of its own for FFmpeg; null for any other file.
 */
export function decodeGrid(path: string, mediaType: string): GridImage | null {
  const { grid, orientation } = structureOf(path, mediaType)
  if (!grid) return null
  const { width, height } = grid
  if (width * height > MOST_PIXELS)
    throw new Error(
      `images of this format are decoded up to ${MOST_PIXELS / 1e6} megapixels, it has ${Math.round((width * height) / 1e6)}`,
    )
  const data = Buffer.alloc(width * height * 3)
  const profile = eachTile(path, grid, (tile, number) => place(tile, number, grid, data))
  return { data, width, height, orientation, profile }
}

/** The same as a frame of a video is taken: no larger than a preview, not yet turned. */
export async function reducedGrid({ data, width, height, orientation }: GridImage): Promise<RotatedFrame> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height))
  const small = await sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: MOST_PIXELS })
    .resize({
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      fit: 'fill',
      kernel: 'linear',
    })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raster = { data: small.data, width: small.info.width, height: small.info.height, channels: 3 as const, scale }
  return { raster, ...turnOf(orientation) }
}

/** How the main image of a HEIC is turned and mirrored for display, as EXIF counts it; 1 of any other file. */
export const orientationOf = (path: string, mediaType: string) => structureOf(path, mediaType).orientation

function structureOf(path: string, mediaType: string): { grid: HeifGrid | null; orientation: number } {
  if (mediaType !== HEIC) return { grid: null, orientation: 1 }
  const source = new ByteSource(path)
  try {
    const meta = readBoxes(source, 0, source.size, true).find((box) => box.type === 'meta')
    const description = readDescription(source, meta)
    return {
      grid: description && readGrid(source, description),
      orientation: description?.orientation ?? 1,
    }
  } finally {
    source.close()
  }
}

/** Decodes each image of the grid once; gives the colour profile of the first. @throws where one is missing */
function eachTile(path: string, grid: HeifGrid, take: (rgb: Frame, number: number) => void): Uint8Array | null {
  const format = openFormat(path, HEIC)
  const packet = new Packet()
  packet.alloc()
  const decoded = new Set<number>()
  try {
    const streams = new Map(format.streams.map((stream) => [stream.index, stream]))
    const profile = [...streams.values()]
      .find(({ id }) => grid.tiles.includes(id))
      ?.codecpar.getCodedSideData(AV_PKT_DATA_ICC_PROFILE)
    for (;;) {
      const read = format.readFrameSync(packet)
      if (read === AVERROR_EOF) break
      check(read, 'a packet cannot be read')
      const stream = streams.get(packet.streamIndex)
      // An image may stand at several places.
      const places = grid.tiles.flatMap((id, number) => (id === stream?.id ? [number] : []))
      if (stream && places.length > 0) {
        decodeOne(stream, packet, (rgb) => {
          for (const number of places) take(rgb, number)
        })
        for (const number of places) decoded.add(number)
      }
      packet.unref()
    }
    if (decoded.size < grid.tiles.length)
      throw new Error(`${decoded.size} of the ${grid.tiles.length} images of which it is put together could be decoded`)
    return profile ? Uint8Array.from(profile) : null
  } finally {
    packet.free()
    format.closeInputSync()
  }
}

function decodeOne(stream: Stream, packet: Packet, take: (rgb: Frame) => void) {
  const context = openDecoder(stream, 'video')
  const frame = new Frame()
  const rgb = new Frame()
  frame.alloc()
  rgb.alloc()
  try {
    check(context.sendPacketSync(packet), 'an image cannot be decoded')
    check(context.sendPacketSync(null), 'an image cannot be decoded')
    check(context.receiveFrameSync(frame), 'an image cannot be decoded')
    convertFrame(frame, rgb, AV_PIX_FMT_RGB24)
    take(rgb)
  } finally {
    frame.free()
    rgb.free()
    context.freeContext()
  }
}

/** Copies the rows of an image to its place, without what reaches beyond the whole. */
function place(tile: Frame, number: number, { columns, width, height }: HeifGrid, into: Buffer): void {
  const plane = tile.data?.[0]
  const stride = tile.linesize[0]
  if (!plane || stride === undefined) throw new Error('the image is empty')
  const left = (number % columns) * tile.width
  const top = Math.floor(number / columns) * tile.height
  const length = Math.min(tile.width, width - left) * 3
  if (length <= 0) return
  for (let row = 0; row < tile.height && top + row < height; row++)
    into.set(plane.subarray(row * stride, row * stride + length), ((top + row) * width + left) * 3)
}
