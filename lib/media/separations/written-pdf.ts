import { closeSync, openSync, writeSync } from 'node:fs'
import { bomb } from '../formats/defect'
import {
  isDictionary,
  type PdfDictionary,
  PdfName,
  PdfReference,
  type PdfStream,
  type PdfValue,
} from '../formats/document/pdf-syntax'

/**
 * A PDF that is written object by object (ISO 32000-2, 7.5), so that no image of a page is held in memory beside others.
 * Objects may bear any numbers: those that are copied keep theirs, by which viewers know layers.
 */
export class WrittenPdf {
  private readonly file: number
  private readonly offsets = new Map<number, { offset: number; generation: number }>()
  private size = 0

  /** @param most bytes; more are refused as a bomb */
  constructor(
    into: string,
    private readonly most: number,
  ) {
    this.file = openSync(into, 'w')
    this.write(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'))
  }

  object({ number, generation }: PdfReference, value: Exclude<PdfValue, PdfStream>): void {
    this.begin(number, generation)
    this.write(bytesOf(value))
    this.write(Buffer.from('\nendobj\n'))
  }

  stream(
    { number, generation }: PdfReference,
    dictionary: PdfDictionary,
    data: Iterable<Buffer>,
    length: number,
  ): void {
    this.begin(number, generation)
    this.write(bytesOf(new Map([...dictionary, ['Length', length]])))
    this.write(Buffer.from('\nstream\n'))
    for (const piece of data) this.write(piece)
    this.write(Buffer.from('\nendstream\nendobj\n'))
  }

  end(root: PdfReference): void {
    const start = this.size
    const rows = [...this.offsets].sort(([a], [b]) => a - b)
    const digits = (value: number, count: number) => String(value).padStart(count, '0')
    const table = rows.map(
      ([number, { offset, generation }]) => `${number} 1\n${digits(offset, 10)} ${digits(generation, 5)} n \n`,
    )
    const size = (rows.at(-1)?.[0] ?? 0) + 1
    this.write(Buffer.from(`xref\n0 1\n0000000000 65535 f \n${table.join('')}trailer\n`))
    this.write(bytesOf(new Map<string, number | PdfReference>().set('Size', size).set('Root', root)))
    this.write(Buffer.from(`\nstartxref\n${start}\n%%EOF\n`))
  }

  close(): void {
    closeSync(this.file)
  }

  private begin(number: number, generation: number): void {
    this.offsets.set(number, { offset: this.size, generation })
    this.write(Buffer.from(`${number} ${generation} obj\n`))
  }

  private write(bytes: Buffer): void {
    if (this.size + bytes.length > this.most) throw bomb('the page alone is too large to be drawn plate by plate')
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done)
    this.size += bytes.length
  }
}

/** A direct object as it is written (7.3). */
export function bytesOf(value: Exclude<PdfValue, PdfStream>): Buffer {
  const parts: string[] = []
  put(value, parts)
  return Buffer.from(parts.join(''), 'latin1')
}

function put(value: PdfValue, parts: string[]): void {
  if (value instanceof PdfName) parts.push(nameOf(value.name))
  else if (value instanceof PdfReference) parts.push(`${value.number} ${value.generation} R`)
  else if (Buffer.isBuffer(value)) parts.push(`<${value.toString('hex')}>`)
  else if (typeof value === 'number') parts.push(numberOf(value))
  else if (Array.isArray(value)) {
    parts.push('[')
    for (const each of value) {
      put(each, parts)
      parts.push(' ')
    }
    parts.push(']')
  } else if (isDictionary(value)) {
    parts.push('<<')
    for (const [key, each] of value) {
      parts.push(nameOf(key), ' ')
      put(each, parts)
      parts.push(' ')
    }
    parts.push('>>')
  } else if (value === null || typeof value === 'boolean') parts.push(String(value))
  // A stream is always an object of its own (7.3.8).
  else parts.push('null')
}

/** Without an exponent, which PDF does not know. */
const numberOf = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(6).replace(/\.?0+$/, ''))

const nameOf = (name: string) =>
  `/${name.replace(/[^!-~]|[()<>[\]{}/%#]/g, (each) => `#${each.charCodeAt(0).toString(16).padStart(2, '0')}`)}`
