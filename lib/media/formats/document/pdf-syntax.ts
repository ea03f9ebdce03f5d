/** The objects of PDF and the text they are written in (ISO 32000-2, 7.2 and 7.3). */

export class PdfName {
  constructor(readonly name: string) {}
}
export class PdfReference {
  constructor(
    readonly number: number,
    readonly generation: number,
  ) {}
}
/** A word that is no object: `obj`, `stream`, `R`, an operator. */
export class PdfWord {
  constructor(readonly word: string) {}
}
export type PdfDictionary = Map<string, PdfValue>
export class PdfStream {
  constructor(
    readonly dictionary: PdfDictionary,
    /** Offset of the data in the file. */
    readonly start: number,
    public length: number,
  ) {}
}
export type PdfValue =
  | null
  | boolean
  | number
  | Buffer
  | PdfName
  | PdfReference
  | PdfValue[]
  | PdfDictionary
  | PdfStream

/** The text ends in the middle of an object: more of the file is needed, or the file is cut. */
export class PdfTextEnd extends Error {}
export class PdfSyntaxError extends Error {}

const MAX_DEPTH = 200
const SPACE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)))
const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

export class PdfParser {
  constructor(
    readonly bytes: Buffer,
    public at = 0,
    /** Whether the bytes go to the end of what there is: then a number may end with them. */
    private readonly isWhole = true,
  ) {}

  skipSpace(): void {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === 0x25) this.skipComment()
      else if (byte !== undefined && SPACE.has(byte)) this.at += 1
      else return
    }
  }

  private skipComment(): void {
    while (this.at < this.bytes.length && this.bytes[this.at] !== 10 && this.bytes[this.at] !== 13) this.at += 1
  }

  /** The next object or word; undefined at the end of the text. */
  next(depth = 0): PdfValue | PdfWord | undefined {
    this.skipSpace()
    const byte = this.bytes[this.at]
    if (byte === undefined) {
      if (this.isWhole) return undefined
      throw new PdfTextEnd()
    }
    if (depth > MAX_DEPTH) throw new PdfSyntaxError(`objects lie more than ${MAX_DEPTH} deep in one another`)
    if (byte === 0x2f) return this.readName()
    if (byte === 0x28) return this.readLiteral()
    if (byte === 0x5b) return this.readArray(depth)
    if (byte === 0x3c) return this.bytes[this.at + 1] === 0x3c ? this.readDictionary(depth) : this.readHex()
    if (byte === 0x5d || byte === 0x7b || byte === 0x7d) {
      this.at += 1
      return new PdfWord(String.fromCharCode(byte))
    }
    if (byte === 0x3e) {
      if (this.bytes[this.at + 1] !== 0x3e) throw new PdfSyntaxError('“>” stands alone')
      this.at += 2
      return new PdfWord('>>')
    }
    if (byte === 0x29) throw new PdfSyntaxError('“)” stands alone')
    return this.readWord()
  }

  /** The next object, with `1 0 R` read as one. */
  value(depth = 0): PdfValue {
    const value = this.next(depth)
    if (value === undefined) throw new PdfTextEnd()
    if (value instanceof PdfWord)
      throw new PdfSyntaxError(`“${value.word.slice(0, 20)}” stands where an object belongs`)
    return typeof value === 'number' ? this.orReference(value) : value
  }

  private orReference(number: number): number | PdfReference {
    if (!Number.isInteger(number) || number < 0) return number
    const back = this.at
    const match = /^[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?![A-Za-z0-9])/.exec(
      this.bytes.toString('latin1', this.at, this.at + 40),
    )
    if (!match) return number
    this.at = back + match[0].length
    return new PdfReference(number, Number(match[1]))
  }

  private readArray(depth: number): PdfValue[] {
    this.at += 1
    const values: PdfValue[] = []
    for (;;) {
      this.skipSpace()
      const byte = this.bytes[this.at]
      if (byte === undefined) throw new PdfTextEnd()
      if (byte === 0x5d) {
        this.at += 1
        return values
      }
      values.push(this.value(depth + 1))
    }
  }

  private readDictionary(depth: number): PdfDictionary {
    this.at += 2
    const dictionary: PdfDictionary = new Map()
    for (;;) {
      this.skipSpace()
      if (this.at + 1 >= this.bytes.length) throw new PdfTextEnd()
      if (this.bytes[this.at] === 0x3e && this.bytes[this.at + 1] === 0x3e) {
        this.at += 2
        return dictionary
      }
      const key = this.next(depth + 1)
      if (!(key instanceof PdfName)) throw new PdfSyntaxError('a dictionary has a key that is no name')
      dictionary.set(key.name, this.value(depth + 1))
    }
  }

  private readName(): PdfName {
    const start = this.at + 1
    this.at = start
    this.toDelimiter()
    const raw = this.bytes.toString('latin1', start, this.at)
    return new PdfName(
      raw.includes('#')
        ? raw.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        : raw,
    )
  }

  private toDelimiter(): void {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === undefined) {
        if (this.isWhole) return
        throw new PdfTextEnd()
      }
      if (SPACE.has(byte) || DELIMITERS.has(byte)) return
      this.at += 1
    }
  }

  private readWord(): PdfValue | PdfWord {
    const start = this.at
    this.toDelimiter()
    const word = this.bytes.toString('latin1', start, this.at)
    if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) return Number(word)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return new PdfWord(word)
  }

  private readHex(): Buffer {
    const end = this.bytes.indexOf(0x3e, this.at)
    if (end < 0) throw new PdfTextEnd()
    const digits = this.bytes.toString('latin1', this.at + 1, end).replace(/[\0\t\n\f\r ]/g, '')
    if (/[^0-9a-f]/i.test(digits)) throw new PdfSyntaxError('a text in hexadecimal holds other characters')
    this.at = end + 1
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  }

  private readLiteral(): Buffer {
    const out: number[] = []
    let depth = 1
    this.at += 1
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === undefined) throw new PdfTextEnd()
      this.at += 1
      if (byte === 0x5c) {
        this.readEscape(out)
        continue
      }
      if (byte === 0x28) depth += 1
      if (byte === 0x29) depth -= 1
      if (depth === 0) return Buffer.from(out)
      out.push(byte)
    }
  }

  private readEscape(out: number[]): void {
    const text = this.bytes.toString('latin1', this.at, this.at + 3)
    const octal = /^[0-7]{1,3}/.exec(text)?.[0]
    if (octal !== undefined) {
      out.push(Number.parseInt(octal, 8) & 255)
      this.at += octal.length
      return
    }
    const character = text[0]
    if (character === undefined) throw new PdfTextEnd()
    this.at += character === '\r' && text[1] === '\n' ? 2 : 1
    if (character !== '\n' && character !== '\r') out.push(ESCAPES[character] ?? character.charCodeAt(0))
  }
}

export function isDictionary(value: unknown): value is PdfDictionary {
  return value instanceof Map
}

/** A text string: UTF-16 or UTF-8 by its mark, else PDFDocEncoding, whose letters are those of Latin 1 (7.9.2.2). */
export function textOf(value: PdfValue): string | null {
  if (!Buffer.isBuffer(value)) return null
  const text =
    value[0] === 0xfe && value[1] === 0xff
      ? Buffer.from(value.subarray(2, value.length & ~1))
          .swap16()
          .toString('utf16le')
      : value[0] === 0xef && value[1] === 0xbb
        ? value.toString('utf8', 3)
        : value.toString('latin1')
  return text.slice(0, 500) || null
}
