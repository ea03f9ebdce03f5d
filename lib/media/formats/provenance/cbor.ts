/** CBOR (RFC 8949) as far as manifests of C2PA need it. Strict: what is cut or too deep is refused. */
export type CborValue = null | boolean | number | string | Buffer | CborValue[] | Map<CborValue, CborValue>

const MOST_DEPTH = 40
const MOST_VALUES = 200_000
const BREAK = Symbol('break')

export function readCbor(bytes: Buffer): CborValue {
  const reader = new CborReader(bytes)
  return reader.value(0)
}

class CborReader {
  private at = 0
  private values = 0

  constructor(private readonly bytes: Buffer) {}

  value(depth: number): CborValue {
    const found = this.next(depth)
    if (found === BREAK) throw new Error('its CBOR ends where a value belongs')
    return found
  }

  private next(depth: number): CborValue | typeof BREAK {
    this.values += 1
    if (depth > MOST_DEPTH || this.values > MOST_VALUES) throw new Error('its CBOR is too deep or too long')
    const head = this.take(1)[0] as number
    const [major, low] = [head >> 5, head & 31]
    if (major === 7) return this.simple(low)
    const isOpen = low === 31
    if (isOpen && (major < 2 || major > 5)) throw new Error('its CBOR has a value without a length')
    const length = isOpen ? Number.POSITIVE_INFINITY : this.length(low)
    if (major === 0) return length
    if (major === 1) return -1 - length
    if (major === 2 || major === 3) {
      const content = isOpen ? Buffer.concat(this.parts(depth)) : this.take(length)
      return major === 2 ? content : content.toString('utf8')
    }
    // A tag says more of what follows, which is all that matters here.
    if (major === 6) return this.value(depth + 1)
    return major === 4 ? this.list(length, depth) : this.map(length, depth)
  }

  private list(length: number, depth: number): CborValue[] {
    const list: CborValue[] = []
    while (list.length < length) {
      const each = this.next(depth + 1)
      if (each === BREAK) break
      list.push(each)
    }
    return list
  }

  private map(length: number, depth: number): Map<CborValue, CborValue> {
    const map = new Map<CborValue, CborValue>()
    for (let count = 0; count < length; count += 1) {
      const key = this.next(depth + 1)
      if (key === BREAK) break
      map.set(key, this.value(depth + 1))
    }
    return map
  }

  private parts(depth: number): Buffer[] {
    const parts: Buffer[] = []
    for (;;) {
      const part = this.next(depth + 1)
      if (part === BREAK) return parts
      if (typeof part === 'string') parts.push(Buffer.from(part))
      else if (Buffer.isBuffer(part)) parts.push(part)
      else throw new Error('its CBOR has a text of something else')
    }
  }

  private simple(low: number): CborValue | typeof BREAK {
    if (low === 31) return BREAK
    if (low === 20 || low === 21) return low === 21
    if (low === 25) {
      this.take(2)
      return null
    }
    if (low === 26) return this.take(4).readFloatBE()
    if (low === 27) return this.take(8).readDoubleBE()
    if (low === 24) this.take(1)
    return null
  }

  private length(low: number): number {
    if (low < 24) return low
    if (low === 24) return this.take(1).readUInt8()
    if (low === 25) return this.take(2).readUInt16BE()
    if (low === 26) return this.take(4).readUInt32BE()
    if (low === 27) {
      const length = Number(this.take(8).readBigUInt64BE())
      if (Number.isSafeInteger(length)) return length
    }
    throw new Error('its CBOR has a length that is none')
  }

  private take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new Error('its CBOR is cut')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}

/** A text of bytes with its head: what a signature of COSE is computed over. */
export function writeBytes(content: Buffer): Buffer {
  const { length } = content
  if (length < 24) return Buffer.concat([Buffer.from([0x40 + length]), content])
  const head = Buffer.alloc(5)
  head[0] = 0x5a
  head.writeUInt32BE(length, 1)
  if (length < 0x100) return Buffer.concat([Buffer.from([0x58, length]), content])
  if (length < 0x10000) return Buffer.concat([Buffer.from([0x59, length >> 8, length & 255]), content])
  return Buffer.concat([head, content])
}
