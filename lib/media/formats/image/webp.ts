import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { type RiffChunk, readChunks } from '../riff'
import { decodePage, imageFacts, limitPixels, RASTER_ENGINE, readMetadata, readOpacity } from './raster'

/** WebP: RFC 9649, section 2 (container). */
export async function examineWebp(source: ByteSource, { storeImage }: Examination): Promise<Examined> {
  const declared = source.bytes(4, 4, 'the header').readUInt32LE(0)
  const end = 8 + declared
  if (end > source.size) throw truncated(`the header declares ${end} bytes, ${source.size} are there`)
  if (declared < 12) throw corrupt(`the header declares ${end} bytes`)
  const chunks = readChunks(source, 12, end)
  const first = chunks[0]?.id
  if (first !== 'VP8 ' && first !== 'VP8L' && first !== 'VP8X') throw corrupt('it does not begin with image data')
  const isExtended = first === 'VP8X'
  if (isExtended) limitPixels(...canvasOf(source, chunks))
  if (!isExtended && chunks.length > 1 && chunks.some((chunk, index) => index > 0 && /^VP8/.test(chunk.id))) {
    throw corrupt('it has image data twice')
  }
  const frames = chunks.filter((chunk) => chunk.id === 'ANMF')
  for (const frame of frames) validateFrame(source, frame)
  if (!isExtended || frames.length === 0) {
    if (!chunks.some((chunk) => chunk.id === 'VP8 ' || chunk.id === 'VP8L'))
      throw truncated('the image data is missing')
  }
  const metadata = await readMetadata(source.path)
  const pages = metadata.pages ?? 1
  limitPixels(metadata.width, metadata.pageHeight ?? metadata.height, pages)
  for (let page = 0; page < pages; page += 1) await decodePage(source.path, page, storeImage)
  const isAnimated = frames.length > 0
  const delays = metadata.delay ?? []
  return {
    media: {
      ...imageFacts('webp', metadata),
      isOpaque: await readOpacity(source.path, metadata, pages),
      frames: pages,
      loopCount: isAnimated ? (metadata.loop ?? 0) : null,
      frameDelaysMs: isAnimated ? delays : [],
      durationSeconds: isAnimated ? delays.reduce((sum, delay) => sum + delay, 0) / 1000 : null,
      compression: chunks.some((chunk) => chunk.id === 'VP8L') ? 'lossless' : 'lossy',
    },
    engine: RASTER_ENGINE,
  }
}

function canvasOf(source: ByteSource, chunks: RiffChunk[]): [width: number, height: number] {
  const chunk = chunks[0]
  if (!chunk || chunk.length < 10) throw corrupt('its extended header is cut short')
  const bytes = source.bytes(chunk.offset, 10)
  return [bytes.readUIntLE(4, 3) + 1, bytes.readUIntLE(7, 3) + 1]
}

function validateFrame(source: ByteSource, frame: RiffChunk): void {
  if (frame.length < 24) throw corrupt('a frame of the animation is cut short')
  const parts = readChunks(source, frame.offset + 16, frame.offset + frame.length)
  if (!parts.some((part) => part.id === 'VP8 ' || part.id === 'VP8L'))
    throw corrupt('a frame of the animation has no image data')
}
