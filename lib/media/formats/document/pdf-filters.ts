import { bomb, corrupt, truncated } from '../defect'
import { inflate, inflateWhole, OutputLimitError } from '../inflate'
import type { PdfDictionary } from './pdf-syntax'

/** Unpacked data that has to be held at once; what is only counted may be larger. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_COUNTED = 2 * 1024 * 1024 * 1024

/** Filters whose output is an image: their own decoders validate them. */
const IMAGE_FILTERS = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF'])

export type FilterStep = { name: string; parameters: PdfDictionary | undefined }

/** Unpacks a stream into memory, up to the first image filter. Throws a Defect when the data is damaged. */
export async function unpack(data: Buffer, steps: FilterStep[], what: string): Promise<Buffer> {
  let bytes = data
  for (const step of steps) {
    if (IMAGE_FILTERS.has(step.name)) return bytes
    bytes = await applyFilter(bytes, step, what)
  }
  return bytes
}

/** Unpacks a stream for the sake of its damage alone; gives the number of bytes. */
export async function countUnpacked(
  pieces: () => Iterable<Buffer>,
  size: number,
  steps: FilterStep[],
  what: string,
): Promise<number> {
  const [first, ...rest] = steps
  if (first === undefined || IMAGE_FILTERS.has(first.name)) return size
  if (rest.length === 0 && (first.name === 'FlateDecode' || first.name === 'Fl')) {
    try {
      return (await inflate(pieces(), { limit: MAX_COUNTED })).size
    } catch (error) {
      throw flateDefect(error, what)
    }
  }
  return (await unpack(Buffer.concat([...pieces()]), steps, what)).length
}

async function applyFilter(bytes: Buffer, step: FilterStep, what: string): Promise<Buffer> {
  switch (step.name) {
    case 'FlateDecode':
    case 'Fl':
      try {
        return predict(await inflateWhole(bytes, { limit: MAX_BYTES }), step.parameters, what)
      } catch (error) {
        throw flateDefect(error, what)
      }
    case 'LZWDecode':
    case 'LZW':
      return predict(readLzw(bytes, step.parameters?.get('EarlyChange') !== 0, what), step.parameters, what)
    case 'ASCIIHexDecode':
    case 'AHx':
      return readHex(bytes, what)
    case 'ASCII85Decode':
    case 'A85':
      return readBase85(bytes, what)
    case 'RunLengthDecode':
    case 'RL':
      return readRuns(bytes)
    case 'Crypt':
      return bytes
    default:
      throw corrupt(`${what} is packed by “${step.name.slice(0, 40)}”, which does not exist`)
  }
}

function flateDefect(error: unknown, what: string): Error {
  if (error instanceof OutputLimitError)
    return bomb(`${what} does not end after ${Math.round(error.limit / 2 ** 20)} MB`)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Error && error.name === 'Defect') return error
  return message.includes('unexpected end')
    ? truncated(`${what} stops in the middle`)
    : corrupt(`${what} cannot be unpacked (${message})`)
}

/** PNG predictors (7.4.4.4): cross-reference streams are always written with one. */
function predict(bytes: Buffer, parameters: PdfDictionary | undefined, what: string): Buffer {
  const predictor = parameters?.get('Predictor')
  if (typeof predictor !== 'number' || predictor < 10) return bytes
  const number = (name: string, fallback: number) => {
    const value = parameters?.get(name)
    return typeof value === 'number' && value > 0 ? value : fallback
  }
  const pixel = Math.max(1, (number('Colors', 1) * number('BitsPerComponent', 8)) >> 3)
  const width = Math.ceil((number('Columns', 1) * number('Colors', 1) * number('BitsPerComponent', 8)) / 8)
  const rows = Math.ceil(bytes.length / (width + 1))
  const out = Buffer.alloc(rows * width)
  for (let row = 0; row < rows; row += 1) {
    const filter = bytes[row * (width + 1)] as number
    if (filter > 4) throw corrupt(`${what} uses the unknown predictor ${filter}`)
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column
      const raw = bytes[row * (width + 1) + 1 + column] ?? 0
      const left = column >= pixel ? (out[at - pixel] as number) : 0
      const up = row > 0 ? (out[at - width] as number) : 0
      const corner = row > 0 && column >= pixel ? (out[at - width - pixel] as number) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      out[at] = raw + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function readHex(bytes: Buffer, what: string): Buffer {
  const text = bytes.toString('latin1').replace(/[\0\s]/g, '')
  const digits = text.split('>')[0] ?? ''
  if (/[^0-9a-f]/i.test(digits)) throw corrupt(`${what} holds characters that are not hexadecimal`)
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

function readBase85(bytes: Buffer, what: string): Buffer {
  const text =
    bytes
      .toString('latin1')
      .replace(/[\0\s]/g, '')
      .replace(/^<~/, '')
      .split('~')[0] ?? ''
  const out: number[] = []
  for (let at = 0; at < text.length; ) {
    if (text[at] === 'z') {
      out.push(0, 0, 0, 0)
      at += 1
      continue
    }
    const group = text.slice(at, at + 5)
    at += group.length
    let value = 0
    for (const character of group.padEnd(5, 'u')) {
      const digit = character.charCodeAt(0) - 33
      if (digit < 0 || digit > 84) throw corrupt(`${what} holds characters that are not of ASCII 85`)
      value = value * 85 + digit
    }
    if (value > 0xffffffff) throw corrupt(`${what} holds a group beyond ASCII 85`)
    const four = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
    out.push(...four.slice(0, group.length - 1))
  }
  return Buffer.from(out)
}

function readRuns(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] as number
    if (length === 128) break
    if (length < 128) {
      parts.push(bytes.subarray(at + 1, at + 2 + length))
      at += 2 + length
    } else {
      parts.push(Buffer.alloc(257 - length, bytes[at + 1] ?? 0))
      at += 2
    }
  }
  return Buffer.concat(parts)
}

/** LZW with codes of 9 to 12 bits, most significant bit first (7.4.4.2). */
function readLzw(bytes: Buffer, isEarly: boolean, what: string): Buffer {
  const parts: Buffer[] = []
  let table: Buffer[] = []
  const reset = () => {
    table = Array.from({ length: 258 }, (_, index) => Buffer.from([index & 255]))
  }
  reset()
  let [width, held, bits, size] = [9, 0, 0, 0]
  let previous: Buffer | undefined
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >>> bits) & ((1 << width) - 1)
    if (code === 257) break
    if (code === 256) {
      reset()
      width = 9
      previous = undefined
      continue
    }
    let entry = table[code]
    if (entry === undefined) {
      if (previous === undefined || code !== table.length) throw corrupt(`${what} uses a code that is not yet defined`)
      entry = Buffer.concat([previous, previous.subarray(0, 1)])
    }
    if (previous !== undefined && table.length < 4096) table.push(Buffer.concat([previous, entry.subarray(0, 1)]))
    parts.push(entry)
    size += entry.length
    if (size > MAX_BYTES) throw bomb(`${what} does not end after ${MAX_BYTES / 2 ** 20} MB`)
    previous = entry
    const filled = table.length + (isEarly ? 1 : 0)
    width = filled >= 2048 ? 12 : filled >= 1024 ? 11 : filled >= 512 ? 10 : 9
  }
  return Buffer.concat(parts)
}
