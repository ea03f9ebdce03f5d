import sharp from 'sharp'
import type { PdfDocument } from './pdf-document'
import { readSpace } from './pdf-inks'
import type { PdfStream } from './pdf-syntax'

/** Points of an image that are looked at, in each direction. */
const MOST_SAMPLES = 256
const MOST_PIXELS = 60_000_000

/** Total ink of points that lie evenly over an image, percent, from its upper left corner row by row. */
export type InkSamples = { columns: number; rows: number; totals: Uint16Array }

/** Whether the samples of an image are inks, eight bits each. */
export async function isInked(document: PdfDocument, { dictionary }: PdfStream): Promise<boolean> {
  const space = await readSpace(document, dictionary.get('ColorSpace') ?? null)
  return space.kind === 'cmyk' && (await document.number(dictionary.get('BitsPerComponent'))) === 8
}

/** `[1 0 1 0 …]`: what Photoshop writes beside its JPEG. */
export async function isTurnedOver(document: PdfDocument, { dictionary }: PdfStream): Promise<boolean> {
  const decode = await document.array(dictionary.get('Decode'))
  return (await document.number(decode?.[0])) === 1
}

/** Four bytes a pixel, as they stand in the file. */
export function sampleInks(bytes: Buffer, width: number, height: number, isTurned: boolean): InkSamples | null {
  if (width < 1 || height < 1 || bytes.length < width * height * 4) return null
  const [columns, rows] = [Math.min(width, MOST_SAMPLES), Math.min(height, MOST_SAMPLES)]
  const totals = new Uint16Array(columns * rows)
  for (let row = 0; row < rows; row += 1) {
    const y = Math.floor(((row + 0.5) * height) / rows)
    for (let column = 0; column < columns; column += 1) {
      const at = (y * width + Math.floor(((column + 0.5) * width) / columns)) * 4
      const sum =
        (bytes[at] as number) + (bytes[at + 1] as number) + (bytes[at + 2] as number) + (bytes[at + 3] as number)
      totals[row * columns + column] = Math.round((isTurned ? 1020 - sum : sum) / 2.55)
    }
  }
  return { columns, rows, totals }
}

/**
 * Decodes a JPEG of four inks whole, which validates it as well. The decoder turns over what bears the mark of Adobe; a
 * PDF takes the samples as they stand (ISO 32000-1, 8.9.5.2). Rejects with the decoder's reason.
 */
export async function sampleJpegInks(data: Buffer, isTurned: boolean): Promise<InkSamples | null> {
  const { data: pixels, info } = await sharp(data, { failOn: 'error', sequentialRead: true })
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) return null
  const isTurnedByDecoder = data.subarray(0, 65_536).includes('\xff\xee\x00\x0eAdobe', 0, 'latin1')
  return sampleInks(pixels, info.width, info.height, isTurned !== isTurnedByDecoder)
}

export const isSmallEnough = (width: number, height: number) => width * height <= MOST_PIXELS
