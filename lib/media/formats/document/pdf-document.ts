import type { ByteSource } from '../byte-source'
import { bomb, corrupt, printable, truncated } from '../defect'
import { type FilterStep, unpack } from './pdf-filters'
import {
  isDictionary,
  type PdfDictionary,
  PdfName,
  PdfParser,
  PdfReference,
  PdfStream,
  PdfSyntaxError,
  PdfTextEnd,
  type PdfValue,
  PdfWord,
} from './pdf-syntax'

const WINDOWS = [4096, 64 * 1024, 1024 * 1024, 16 * 1024 * 1024, 128 * 1024 * 1024]
const MAX_OBJECTS = 2_000_000
const TAIL_BYTES = 2048

type Place =
  | { kind: 'free' }
  | { kind: 'at'; offset: number; generation: number }
  | { kind: 'in'; stream: number; index: number }

/** A page, and what it has from the nodes above it. */
export type PdfPage = { dictionary: PdfDictionary; inherited: Map<string, PdfValue> }

/**
 * The objects of a PDF by their number, read where its cross-reference says they are. Nothing is repaired: a file whose
 * table is wrong opens differently from reader to reader, and is refused.
 */
export class PdfDocument {
  readonly trailer: PdfDictionary = new Map()
  readonly version: string
  /** Bytes before the header: every offset of the file counts from there. */
  private readonly shift: number
  private readonly places = new Map<number, Place>()
  private readonly loaded = new Map<number, PdfValue>()
  private readonly loading = new Set<number>()
  private readonly containers = new Map<number, PdfValue[]>()

  private constructor(private readonly source: ByteSource) {
    const head = source.upTo(0, 1100).toString('latin1')
    const header = /%PDF-(\d\.\d)/.exec(head)
    if (!header) throw corrupt('its header does not state a version')
    this.shift = header.index
    this.version = header[1] ?? ''
  }

  static async open(source: ByteSource): Promise<PdfDocument> {
    const document = new PdfDocument(source)
    await document.readCrossReferences()
    return document
  }

  get objectNumbers(): number[] {
    return [...this.places.keys()]
  }

  /** Follows a reference; a missing object is null (7.3.10). */
  async resolve(value: PdfValue | undefined): Promise<PdfValue> {
    let current = value ?? null
    for (let hops = 0; current instanceof PdfReference; hops += 1) {
      if (hops > 32) throw corrupt('its references run in a circle')
      current = await this.load(current.number, current.generation)
    }
    return current
  }

  async dictionary(value: PdfValue | undefined): Promise<PdfDictionary | undefined> {
    const found = await this.resolve(value)
    if (found instanceof PdfStream) return found.dictionary
    return isDictionary(found) ? found : undefined
  }

  async array(value: PdfValue | undefined): Promise<PdfValue[] | undefined> {
    const found = await this.resolve(value)
    return Array.isArray(found) ? found : undefined
  }

  async name(value: PdfValue | undefined): Promise<string | undefined> {
    const found = await this.resolve(value)
    return found instanceof PdfName ? found.name : undefined
  }

  async number(value: PdfValue | undefined): Promise<number | undefined> {
    const found = await this.resolve(value)
    return typeof found === 'number' ? found : undefined
  }

  /** The filters of a stream with their parameters, in the order they are undone. */
  async filters(stream: PdfStream): Promise<FilterStep[]> {
    const filter = await this.resolve(stream.dictionary.get('Filter') ?? stream.dictionary.get('F'))
    const given = await this.resolve(stream.dictionary.get('DecodeParms') ?? stream.dictionary.get('DP'))
    const names = Array.isArray(filter) ? filter : filter === null ? [] : [filter]
    const parameters = Array.isArray(given) ? given : [given]
    const steps: FilterStep[] = []
    for (const [index, name] of names.entries()) {
      const found = await this.name(name)
      if (found === undefined) continue
      const raw = await this.dictionary(parameters[index])
      const settled: PdfDictionary = new Map()
      for (const [key, value] of raw ?? []) settled.set(key, await this.resolve(value))
      steps.push({ name: found, parameters: raw && settled })
    }
    return steps
  }

  /** The data of a stream, unpacked up to the first image filter. */
  async data(stream: PdfStream, what: string): Promise<Buffer> {
    const raw = Buffer.from(this.source.bytes(stream.start, stream.length, what))
    return unpack(raw, await this.filters(stream), what)
  }

  pieces(stream: PdfStream): Iterable<Buffer> {
    return this.source.pieces(stream.start, stream.start + stream.length)
  }

  private async load(number: number, generation: number): Promise<PdfValue> {
    const known = this.loaded.get(number)
    if (known !== undefined) return known
    const place = this.places.get(number)
    if (!place || place.kind === 'free') return null
    if (place.kind === 'at' && place.generation !== generation) return null
    // An object that needs itself to be read: a length that lies in its own stream.
    if (this.loading.has(number)) throw corrupt(`object ${number} refers to itself`)
    this.loading.add(number)
    try {
      const value =
        place.kind === 'at'
          ? await this.readObject(place.offset, number)
          : await this.readContained(place.stream, place.index, number)
      this.loaded.set(number, value)
      return value
    } finally {
      this.loading.delete(number)
    }
  }

  /** Parses at an offset, with more and more of the file in view until the object ends. */
  private parse<T>(offset: number, what: string, read: (parser: PdfParser) => T): T {
    if (offset < 0 || offset >= this.source.size)
      throw truncated(`${what} is said to be at byte ${offset} of ${this.source.size}`)
    for (const length of WINDOWS) {
      const isWhole = offset + length >= this.source.size
      try {
        return read(new PdfParser(this.source.upTo(offset, length), 0, isWhole))
      } catch (error) {
        if (error instanceof PdfSyntaxError)
          throw corrupt(`${what} at byte ${offset} is not readable: ${error.message}`)
        if (!(error instanceof PdfTextEnd)) throw error
        if (isWhole) throw truncated(`${what} at byte ${offset} is not closed`)
      }
    }
    throw bomb(`${what} at byte ${offset} does not end`)
  }

  private async readObject(offset: number, number: number | undefined): Promise<PdfValue> {
    if (offset === 0) return null
    const what = number === undefined ? 'the cross-reference' : `object ${number}`
    const start = offset + this.shift
    const { value, after, isStream } = this.parse(start, what, (parser) => {
      const [found, generation, word] = [parser.next(), parser.next(), parser.next()]
      if (
        typeof found !== 'number' ||
        typeof generation !== 'number' ||
        !(word instanceof PdfWord) ||
        word.word !== 'obj'
      ) {
        throw new PdfSyntaxError('no object begins there')
      }
      if (number !== undefined && found !== number) throw new PdfSyntaxError(`object ${found} stands there`)
      parser.skipSpace()
      // An empty object is written by some and read as null by all.
      if (parser.bytes.toString('latin1', parser.at, parser.at + 6) === 'endobj')
        return { value: null, after: 0, isStream: false }
      const inner = parser.value()
      const end = parser.next()
      const isStreamNext = end instanceof PdfWord && end.word === 'stream'
      if (isStreamNext && isDictionary(inner)) return { value: inner, after: start + parser.at, isStream: true }
      if (!(end instanceof PdfWord) || end.word !== 'endobj') throw new PdfSyntaxError('it does not end with “endobj”')
      return { value: inner, after: 0, isStream: false }
    })
    if (!isStream || !isDictionary(value)) return value
    return this.readStream(value, after, what)
  }

  private async readStream(dictionary: PdfDictionary, after: number, what: string): Promise<PdfStream> {
    const mark = this.source.upTo(after, 2).toString('latin1')
    const start = after + (mark === '\r\n' ? 2 : mark[0] === '\n' || mark[0] === '\r' ? 1 : 0)
    const length = await this.number(dictionary.get('Length'))
    if (length === undefined || length < 0) throw corrupt(`the stream of ${what} does not state its length`)
    if (start + length > this.source.size)
      throw truncated(`the stream of ${what} has ${length} bytes, ${this.source.size - start} are there`)
    const end = this.source.upTo(start + length, 32).toString('latin1')
    if (!/^[\0\t\n\f\r ]*endstream/.test(end))
      throw corrupt(`the stream of ${what} does not end after the ${length} bytes it declares`)
    return new PdfStream(dictionary, start, length)
  }

  private async readContained(container: number, index: number, number: number): Promise<PdfValue> {
    let values = this.containers.get(container)
    if (!values) {
      values = await this.readContainer(container)
      this.containers.set(container, values)
    }
    const value = values[index]
    if (value === undefined) throw corrupt(`object ${number} is not in object stream ${container}`)
    return value
  }

  /** An object stream (7.5.7): pairs of number and offset, then the objects. */
  private async readContainer(container: number): Promise<PdfValue[]> {
    const what = `object stream ${container}`
    const stream = await this.load(container, 0)
    if (!(stream instanceof PdfStream)) throw corrupt(`${what} is missing`)
    const [count, first] = [
      await this.number(stream.dictionary.get('N')),
      await this.number(stream.dictionary.get('First')),
    ]
    if (count === undefined || first === undefined) throw corrupt(`${what} does not state what it holds`)
    if (count > MAX_OBJECTS) throw bomb(`${count} objects in one stream`)
    const data = await this.data(stream, what)
    try {
      const head = new PdfParser(data)
      const offsets = Array.from({ length: count }, () => {
        head.next()
        const offset = head.next()
        if (typeof offset !== 'number') throw new PdfSyntaxError('its list of objects is cut')
        return offset
      })
      return offsets.map((offset) => new PdfParser(data, first + offset).value())
    } catch (error) {
      if (error instanceof PdfSyntaxError) throw corrupt(`${what} is not readable: ${error.message}`)
      if (error instanceof PdfTextEnd) throw truncated(`${what} ends in the middle of an object`)
      throw error
    }
  }

  private async readCrossReferences(): Promise<void> {
    const tailStart = Math.max(0, this.source.size - TAIL_BYTES)
    const tail = this.source.bytes(tailStart, this.source.size - tailStart).toString('latin1')
    const last = tail.lastIndexOf('startxref')
    const stated = last < 0 ? undefined : /^startxref[\0\t\n\f\r ]*(\d{1,15})/.exec(tail.slice(last))?.[1]
    if (stated === undefined) throw truncated('the closing “startxref” is missing')
    const pending = [Number(stated)]
    const seen = new Set<number>()
    while (pending.length > 0) {
      const offset = pending.shift() as number
      if (seen.has(offset)) continue
      seen.add(offset)
      if (seen.size > 10_000) throw bomb('more than 10,000 revisions')
      const dictionary = await this.readSection(offset)
      for (const [key, value] of dictionary) if (!this.trailer.has(key)) this.trailer.set(key, value)
      // The stream of a hybrid file comes before the older tables (7.5.8.4).
      const next = [dictionary.get('XRefStm'), dictionary.get('Prev')]
      for (const value of next) if (typeof value === 'number' && value > 0) pending.push(value)
    }
    if (this.places.size > MAX_OBJECTS) throw bomb(`${this.places.size} objects`)
  }

  private async readSection(offset: number): Promise<PdfDictionary> {
    const start = offset + this.shift
    if (start >= this.source.size)
      throw truncated(`the cross-reference is said to be at byte ${offset} of ${this.source.size}`)
    const isTable = /^[\0\t\n\f\r ]*xref/.test(this.source.upTo(start, 64).toString('latin1'))
    if (isTable) return this.parse(start, 'the cross-reference table', (parser) => this.readTable(parser))
    const stream = await this.readObject(offset, undefined)
    if (!(stream instanceof PdfStream)) throw corrupt(`there is no cross-reference at byte ${offset}`)
    await this.readCrossReferenceStream(stream)
    return stream.dictionary
  }

  private readTable(parser: PdfParser): PdfDictionary {
    parser.next()
    const found = new Map<number, Place>()
    for (;;) {
      const first = parser.next()
      if (first instanceof PdfWord && first.word === 'trailer') break
      const count = parser.next()
      if (typeof first !== 'number' || typeof count !== 'number')
        throw new PdfSyntaxError('a section does not begin with two numbers')
      if (count > MAX_OBJECTS) throw new PdfSyntaxError(`it declares ${count} objects`)
      for (let index = 0; index < count; index += 1) {
        const [offset, generation, use] = [parser.next(), parser.next(), parser.next()]
        if (
          typeof offset !== 'number' ||
          typeof generation !== 'number' ||
          !(use instanceof PdfWord) ||
          !/^[nf]$/.test(use.word)
        ) {
          throw new PdfSyntaxError(`entry ${first + index} is not one`)
        }
        found.set(first + index, use.word === 'n' ? { kind: 'at', offset, generation } : { kind: 'free' })
      }
    }
    const trailer = parser.value()
    if (!isDictionary(trailer)) throw new PdfSyntaxError('the trailer is not a dictionary')
    for (const [number, place] of found) if (!this.places.has(number)) this.places.set(number, place)
    return trailer
  }

  /** A cross-reference stream (7.5.8): rows of three numbers whose widths it states. */
  private async readCrossReferenceStream(stream: PdfStream): Promise<void> {
    const what = 'the cross-reference stream'
    const widths = (stream.dictionary.get('W') ?? null) as PdfValue
    const size = stream.dictionary.get('Size')
    if (!Array.isArray(widths) || widths.length < 3 || typeof size !== 'number')
      throw corrupt(`${what} does not state its shape`)
    const [a, b, c] = widths.map((width) => (typeof width === 'number' && width >= 0 && width <= 6 ? width : 99)) as [
      number,
      number,
      number,
    ]
    const row = a + b + c
    if (row === 0 || row > 18) throw corrupt(`${what} has rows of an impossible width`)
    const data = await this.data(stream, what)
    const index = stream.dictionary.get('Index')
    const sections = Array.isArray(index) ? index.map(Number) : [0, size]
    let at = 0
    for (let section = 0; section + 1 < sections.length; section += 2) {
      const [first, count] = [sections[section] as number, sections[section + 1] as number]
      if (!(count >= 0 && count <= MAX_OBJECTS)) throw corrupt(`${what} declares ${printable(String(count))} objects`)
      for (let number = first; number < first + count; number += 1, at += row) {
        if (at + row > data.length) throw truncated(`${what} ends after ${Math.floor(data.length / row)} rows`)
        const read = (from: number, width: number) => (width === 0 ? 0 : data.readUIntBE(at + from, width))
        const kind = a === 0 ? 1 : read(0, a)
        const [second, third] = [read(a, b), read(a + b, c)]
        if (this.places.has(number)) continue
        if (kind === 0) this.places.set(number, { kind: 'free' })
        if (kind === 1) this.places.set(number, { kind: 'at', offset: second, generation: third })
        if (kind === 2) this.places.set(number, { kind: 'in', stream: second, index: third })
      }
    }
  }
}
