import type { ByteSource } from '../byte-source'
import { bomb, corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import {
  decodePage,
  imageFacts,
  limitPixels,
  MAX_FRAMES,
  MAX_TOTAL_PIXELS,
  RASTER_ENGINE,
  readMetadata,
  readOpacity,
} from './raster'

type Frame = { delayMs: number; isTransparent: boolean }

/**
 * GIF: GIF89a specification (CompuServe 1990). Decoded here to the last code of every frame, since the usual decoders
 * fill what is missing with background and say nothing.
 */
export async function examineGif(source: ByteSource, { storeImage }: Examination): Promise<Examined> {
  const reader = new GifReader(source)
  const { width, height, frames, loopCount, depth } = reader.read()
  const metadata = await readMetadata(source.path)
  await decodePage(source.path, 0, storeImage)
  const delays = frames.map((frame) => frame.delayMs)
  const isAnimated = frames.length > 1
  const isOpaque = await readOpacity(source.path, metadata, frames.length)
  return {
    media: {
      ...imageFacts('gif', metadata),
      width,
      height,
      colourSpace: 'indexed',
      bitDepth: depth,
      progressive: reader.isInterlaced,
      // Frames that leave a part of the screen uncovered are seen through without a transparent colour.
      hasAlpha: frames.some((frame) => frame.isTransparent) || isOpaque === false,
      isOpaque,
      frames: frames.length,
      loopCount: isAnimated ? (loopCount ?? 1) : null,
      frameDelaysMs: isAnimated ? delays.slice(0, MAX_FRAMES) : [],
      durationSeconds: isAnimated ? delays.reduce((sum, delay) => sum + delay, 0) / 1000 : null,
      densityDpi: null,
    },
    engine: RASTER_ENGINE,
  }
}

class GifReader {
  isInterlaced = false
  private at = 13
  private decoded = 0
  private readonly dictionary = { length: new Uint16Array(4096) }

  constructor(private readonly source: ByteSource) {}

  read(): { width: number; height: number; frames: Frame[]; loopCount: number | null; depth: number } {
    const head = this.source.bytes(0, 13, 'the header')
    const [width, height, flags] = [head.readUInt16LE(6), head.readUInt16LE(8), head.readUInt8(10)]
    const globalColours = flags & 0x80 ? 2 << (flags & 7) : 0
    const depth = (flags & 7) + 1
    this.take(globalColours * 3, 'the colour table')
    const frames: Frame[] = []
    let loopCount: number | null = null
    let control: Frame = { delayMs: 0, isTransparent: false }
    let [right, bottom] = [0, 0]
    for (;;) {
      // A still image that only lacks its closing mark lacks nothing; an animation may lack frames.
      if (this.at >= this.source.size && frames.length === 1) break
      const kind = this.take(1, 'the closing mark')[0]
      if (kind === 0x3b) break
      if (kind === 0x21) {
        const label = this.take(1, 'an extension')[0]
        const blocks = this.takeBlocks()
        if (label === 0xf9 && blocks.length >= 4)
          control = { delayMs: blocks.readUInt16LE(1) * 10, isTransparent: (blocks.readUInt8(0) & 1) === 1 }
        // NETSCAPE2.0 counts repetitions after the first play; 0 repeats for ever.
        if (
          label === 0xff &&
          /^(NETSCAPE2\.0|ANIMEXTS1\.0)\x01/.test(blocks.toString('latin1', 0, 12)) &&
          blocks.length >= 14
        ) {
          const repeats = blocks.readUInt16LE(12)
          loopCount = repeats === 0 ? 0 : repeats + 1
        }
      } else if (kind === 0x2c) {
        const size = this.readFrame(globalColours)
        right = Math.max(right, size.right)
        bottom = Math.max(bottom, size.bottom)
        frames.push(control)
        control = { delayMs: 0, isTransparent: false }
        if (frames.length > MAX_FRAMES) throw bomb(`more than ${MAX_FRAMES} frames`)
        limitPixels(Math.max(width, right), Math.max(height, bottom), frames.length)
      } else {
        throw corrupt(`a block of unknown kind 0x${(kind ?? 0).toString(16)} stands at byte ${this.at - 1}`)
      }
    }
    if (frames.length === 0) throw corrupt('it holds no image')
    return { width: width || right, height: height || bottom, frames, loopCount, depth }
  }

  private readFrame(globalColours: number): { right: number; bottom: number } {
    const head = this.take(9, 'a frame header')
    const [left, top, width, height] = [
      head.readUInt16LE(0),
      head.readUInt16LE(2),
      head.readUInt16LE(4),
      head.readUInt16LE(6),
    ]
    const flags = head.readUInt8(8)
    if (flags & 0x40) this.isInterlaced = true
    const localColours = flags & 0x80 ? 2 << (flags & 7) : 0
    if (localColours === 0 && globalColours === 0) throw corrupt('a frame has no colour table')
    this.take(localColours * 3, 'a colour table')
    this.decoded += width * height
    if (this.decoded > MAX_TOTAL_PIXELS) throw bomb(`its frames hold more than ${MAX_TOTAL_PIXELS / 1e9} gigapixels`)
    const codeSize = this.take(1, 'a frame').readUInt8(0)
    if (codeSize < 1 || codeSize > 11) throw corrupt(`a frame declares codes of ${codeSize} bits`)
    this.decode(codeSize, width * height)
    return { right: left + width, bottom: top + height }
  }

  /** Variable-length LZW (appendix F): counts the pixels that come out, none of which is kept. */
  private decode(codeSize: number, pixels: number): void {
    const data = this.takeBlocks()
    const { length } = this.dictionary
    const clear = 1 << codeSize
    const end = clear + 1
    let [width, next, previous] = [codeSize + 1, end + 1, -1]
    let [bits, held, produced] = [0, 0, 0]
    for (let index = 0; index < data.length; index += 1) {
      held |= (data[index] as number) << bits
      bits += 8
      while (bits >= width) {
        const code = held & ((1 << width) - 1)
        held >>>= width
        bits -= width
        if (code === clear) {
          ;[width, next, previous] = [codeSize + 1, end + 1, -1]
          continue
        }
        if (code === end) {
          if (produced < pixels) throw truncated(`a frame gives ${produced} of ${pixels} pixels`)
          return
        }
        if (previous < 0) {
          if (code > end) throw corrupt('a frame begins with a code that is not yet defined')
          produced += 1
        } else {
          if (code > next || (code === next && next > 4095))
            throw corrupt('a frame uses a code that is not yet defined')
          if (next < 4096) {
            length[next] = (previous < clear ? 1 : (length[previous] as number)) + 1
            next += 1
            if (next === 1 << width && width < 12) width += 1
          }
          produced += code < clear ? 1 : (length[code] as number)
        }
        previous = code
        // Some writers leave the end code out; once every pixel is there nothing is missing.
        if (produced > pixels + 65_536) throw corrupt(`a frame gives more than its ${pixels} pixels`)
      }
    }
    if (produced < pixels) throw truncated(`a frame gives ${produced} of ${pixels} pixels`)
  }

  private take(length: number, what: string): Buffer {
    const bytes = this.source.bytes(this.at, length, what)
    this.at += length
    return bytes
  }

  private takeBlocks(): Buffer {
    const blocks: Buffer[] = []
    for (;;) {
      const size = this.take(1, 'a data block').readUInt8(0)
      if (size === 0) return Buffer.concat(blocks)
      blocks.push(Buffer.from(this.take(size, 'a data block')))
    }
  }
}
