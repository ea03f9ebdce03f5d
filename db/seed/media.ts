import '@/lib/media/decode/promise-with-resolvers'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_LIBX264,
} from 'node-av/constants'
import { Codec, CodecContext, Dictionary, FFmpegError, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib'
import { drawing, type Look, picture } from './artwork'

/** Film, sound, documents and archives of the demo workspace. */

/** An H.264 film without sound. `fastStart`: its index comes first, so that it plays while it still loads. */
export async function film(
  look: Look,
  width: number,
  height: number,
  seconds: number,
  framesPerSecond: number,
  options: { extension?: 'mp4' | 'mov'; fastStart?: boolean } = {},
): Promise<Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-film-'))
  try {
    const file = path.join(folder, `film.${options.extension ?? 'mp4'}`)
    const count = seconds * framesPerSecond
    // A slow motion needs few drawings; each is shown for two frames.
    const drawings = await Promise.all(
      Array.from({ length: Math.ceil(count / 2) }, (_, i) =>
        picture(look, width, height, (i / count) * Math.PI * 4)
          .raw()
          .toBuffer(),
      ),
    )
    encode(
      file,
      width,
      height,
      framesPerSecond,
      options.fastStart ?? true,
      Array.from({ length: count }, (_, i) => toYuv(drawings[i >> 1] as Buffer, width, height)),
    )
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function encode(file: string, width: number, height: number, rate: number, fastStart: boolean, frames: Buffer[]) {
  Log.setLevel(AV_LOG_QUIET)
  const format = new FormatContext()
  ok(format.allocOutputContext2(null, null, file))
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)
  if (!codec) throw new Error('This build of FFmpeg has no libx264.')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.width = width
  context.height = height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = new Rational(1, rate)
  context.framerate = new Rational(rate, 1)
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  ok(context.open2Sync(codec))
  const stream = format.newStream(null)
  ok(stream.codecpar.fromContext(context))
  stream.timeBase = context.timeBase
  ok(format.openOutputSync())
  ok(format.writeHeaderSync(fastStart ? Dictionary.fromObject({ movflags: '+faststart' }) : null))
  const packet = new Packet()
  packet.alloc()
  const drain = () => {
    for (;;) {
      const received = context.receivePacketSync(packet)
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return
      ok(received)
      packet.rescaleTs(context.timeBase, stream.timeBase)
      packet.streamIndex = stream.index
      ok(format.interleavedWriteFrameSync(packet))
    }
  }
  frames.forEach((pixels, index) => {
    const frame = Frame.fromVideoBuffer(pixels, {
      width,
      height,
      format: AV_PIX_FMT_YUV420P,
      timeBase: context.timeBase,
    })
    frame.pts = BigInt(index)
    ok(context.sendFrameSync(frame))
    frame.free()
    drain()
  })
  ok(context.sendFrameSync(null))
  drain()
  ok(format.writeTrailerSync())
  packet.free()
  context.freeContext()
  format.closeOutputSync()
}

function ok(result: number): void {
  if (result < 0) throw new FFmpegError(result)
}

/** RGB to planar YUV 4:2:0, limited range (ITU-R BT.601-7, 2.5.1 with 8 bits). */
function toYuv(rgbPixels: Buffer, width: number, height: number): Buffer {
  const out = Buffer.alloc((width * height * 3) / 2)
  const at = (x: number, y: number, channel: number) => rgbPixels[(y * width + x) * 3 + channel] ?? 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = [at(x, y, 0), at(x, y, 1), at(x, y, 2)]
      out[y * width + x] = 16 + (66 * r + 129 * g + 25 * b) / 256
      if (x % 2 === 0 && y % 2 === 0) {
        const chroma = width * height + (y >> 1) * (width >> 1) + (x >> 1)
        out[chroma] = 128 + (-38 * r - 74 * g + 112 * b) / 256
        out[chroma + ((width * height) >> 2)] = 128 + (112 * r - 94 * g - 18 * b) / 256
      }
    }
  }
  return out
}

/** A short tune in 16-bit PCM, stereo (RIFF WAVE). */
export function tune(notes: readonly number[], secondsEach: number, rate = 48_000): Buffer {
  const frames = Math.round(notes.length * secondsEach * rate)
  const data = Buffer.alloc(frames * 4)
  for (let i = 0; i < frames; i++) {
    const t = i / rate
    const note = notes[Math.min(notes.length - 1, Math.floor(t / secondsEach))] ?? 440
    const inNote = (t % secondsEach) / secondsEach
    const envelope = Math.min(1, inNote * 20) * (1 - inNote) ** 1.5
    const sample = envelope * (Math.sin(2 * Math.PI * note * t) + 0.35 * Math.sin(4 * Math.PI * note * t)) * 9000
    data.writeInt16LE(Math.round(sample), i * 4)
    data.writeInt16LE(Math.round(sample * 0.85), i * 4 + 2)
  }
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(2, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 4, 28)
  head.writeUInt16LE(4, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

const POINTS_PER_MM = 72 / 25.4

/** A print advertisement, A5 trim; with 3 mm of bleed and its boxes, or without. */
export async function advertisement(look: Look, pages: number, hasBleed: boolean): Promise<Buffer> {
  const bleed = hasBleed ? 3 * POINTS_PER_MM : 0
  const [width, height] = [148 * POINTS_PER_MM, 210 * POINTS_PER_MM]
  const document = await PDFDocument.create()
  document.setTitle(`${look.brand}: ${look.headline}`)
  const font = await document.embedFont(StandardFonts.HelveticaBold)
  for (let page = 1; page <= pages; page++) {
    const sheet = document.addPage([width + 2 * bleed, height + 2 * bleed])
    const image = await document.embedJpg(await picture(look, 740, 1050, page).jpeg({ quality: 86 }).toBuffer())
    sheet.drawImage(image, { x: 0, y: 0, width: width + 2 * bleed, height: height + 2 * bleed })
    sheet.drawText(`${page}`, { x: width - 20, y: bleed + 16, size: 10, font, color: rgb(1, 1, 1) })
    if (hasBleed) {
      sheet.setTrimBox(bleed, bleed, width, height)
      sheet.setBleedBox(0, 0, width + 2 * bleed, height + 2 * bleed)
    }
  }
  return Buffer.from(await document.save())
}

/** An HTML5 banner as agencies zip it: a page with its size and click tag, and a backup image. */
export async function banner(
  look: Look,
  width: number,
  height: number,
  options: { hasClickTag?: boolean } = {},
): Promise<Buffer> {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="ad.size" content="width=${width},height=${height}"><title>${look.brand}</title>
<script>${options.hasClickTag === false ? '' : 'var clickTag = "https://www.example.com/";'}</script>
<style>body{margin:0}a{display:block;width:${width}px;height:${height}px}svg{display:block}</style></head>
<body><a href="javascript:window.open(window.clickTag)">${drawing(look, width, height)}</a></body></html>`
  return zip([
    { name: 'index.html', bytes: Buffer.from(page) },
    { name: 'backup.jpg', bytes: await picture(look, width, height).jpeg({ quality: 80 }).toBuffer() },
  ])
}

/** A ZIP archive with stored entries (PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16). */
export function zip(entries: readonly { name: string; bytes: Buffer }[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt32LE(0x5a_21_00_00, 6)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes])
    const central = Buffer.alloc(14)
    central.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, central, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}
