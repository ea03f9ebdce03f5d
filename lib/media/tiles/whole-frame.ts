import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA, AV_PKT_DATA_ICC_PROFILE } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import { check, convertFrame } from '../decode/convert-frame'
import { decodeGrid, type GridImage, orientationOf } from '../decode/heif-grid'
import { closeStream, eachFrame, openStream } from '../decode/video'
import { ByteSource } from '../formats/byte-source'
import { readPsdHead } from '../formats/image/psd'
import { isRgbProfile, tiffHead } from './tiff-head'

/** FFmpeg holds what is coded, what is decoded and what is converted at once: some 12 bytes a pixel. */
const MOST_PIXELS = 100_000_000

/**
 * Decodes what only FFmpeg reads, and writes it as TIFF, with the colour profile of the file, for libvips to go through row
 * by row. Returns the path.
 */
export async function writeWholeFrame(source: string, mediaType: string, folder: string): Promise<string> {
  const isPsd = mediaType === 'image/vnd.adobe.photoshop'
  const psd = isPsd ? readHead(source) : null
  const grid = decodeGrid(source, mediaType)
  if (grid) return writeGrid(path.join(folder, 'whole.tif'), grid)
  const opened = openStream(source, mediaType, 'video')
  const into = path.join(folder, 'whole.tif')
  const whole = new Frame()
  const rgb = new Frame()
  whole.alloc()
  rgb.alloc()
  try {
    const { width, height } = opened.stream.codecpar
    if (width * height > MOST_PIXELS)
      throw new Error(
        `images of this format are shown in tiles up to ${MOST_PIXELS / 1e6} megapixels, it has ${Math.round((width * height) / 1e6)}`,
      )
    let isFound = false
    eachFrame(opened, (frame) => {
      check(whole.ref(frame), 'the image cannot be kept')
      isFound = true
      return true
    })
    if (!isFound) throw new Error('the image could not be decoded')
    const hasAlpha = psd?.hasAlpha ?? false
    convertFrame(whole, rgb, hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24)
    whole.unref()
    const profile = psd?.profile ?? opened.stream.codecpar.getCodedSideData(AV_PKT_DATA_ICC_PROFILE)
    const head = tiffHead({
      width,
      height,
      channels: hasAlpha ? 4 : 3,
      profile: profile && isRgbProfile(profile) ? profile : null,
      orientation: orientationOf(source, mediaType),
    })
    await writeRows(into, head, rgb, width * (hasAlpha ? 4 : 3))
    return into
  } finally {
    whole.free()
    rgb.free()
    closeStream(opened)
  }
}

async function writeGrid(into: string, { data, width, height, orientation, profile }: GridImage): Promise<string> {
  const kept = profile && isRgbProfile(profile) ? profile : null
  await writeFile(into, [tiffHead({ width, height, channels: 3, profile: kept, orientation }), data])
  return into
}

function readHead(source: string) {
  const bytes = new ByteSource(source)
  try {
    return readPsdHead(bytes)
  } finally {
    bytes.close()
  }
}

async function writeRows(into: string, head: Buffer, frame: Frame, rowLength: number): Promise<void> {
  const plane = frame.data?.[0]
  const stride = frame.linesize[0]
  if (!plane || stride === undefined) throw new Error('the image is empty')
  const output = await open(into, 'w')
  try {
    await output.write(head)
    for (let row = 0; row < frame.height; row++)
      await output.write(plane.subarray(row * stride, row * stride + rowLength))
  } finally {
    await output.close()
  }
}
