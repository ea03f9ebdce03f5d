import { PARTITION } from '../video/mxf-header'
import { ENCRYPTED, ESSENCE, LABEL, MOST_ITEMS, PARTITION_BYTES, patternOf } from '../video/mxf-keys'
import { CONTAINER_DATA, LINKED_PACKAGE, type MetadataSet, type Rate, rateOf, valuesOf } from '../video/mxf-sets'

/** Of metadata that is kept, for values and in all. */
const MOST_VALUE_BYTES = 1024 ** 2
const MOST_KEPT_BYTES = 16 * 1024 ** 2
/** Sets of the header metadata, by the byte that says which (ST 377-1, table 17). */
const SET = /^060e2b34025301..0d0101010101(..)00$/
/** A descriptor that stands for several. */
const MULTIPLE = '44'
/** Local tags of ST 377-1, annexes; of ST 382 for audio. */
const TAG = {
  sampleRate: 0x3001,
  duration: 0x3002,
  audioRate: 0x3d03,
  channels: 0x3d07,
  blockAlign: 0x3d0a,
} as const

type EssenceKind = 'image' | 'audio' | 'data'

/** Item types of the generic container (ST 379-2, table 6), and of the content package they stand in. */
const KINDS: Readonly<Record<string, EssenceKind>> = {
  '05': 'image',
  '15': 'image',
  '06': 'audio',
  '16': 'audio',
  '07': 'data',
  '17': 'data',
}

/** What a track file of an IMF package holds (SMPTE ST 2067-5). */
export type TrackFile = {
  /** Why it could not be read to its end, as a sentence without a full stop. */
  problem: string | null
  pattern: string | null
  /** The UUID by which compositions name it: the material number of its file package. */
  id: string | null
  /** What it holds, once for each track of essence. */
  kinds: EssenceKind[]
  /** Of its edit units. */
  rate: Rate | null
  /** Edit units that are there, counted; null where they cannot be, as of timed text. */
  units: number | null
  /** Edit units that its header states. */
  stated: number | null
}

type Track = { kind: EssenceKind; items: number; bytes: number }

/**
 * Goes through an MXF file as its bytes come, and counts what it holds. Only the values of its metadata are kept; of
 * metadata that is written again in a later partition the last holds.
 */
export class TrackFileReader {
  private at = 0
  private items = 0
  private keptBytes = 0
  /** Key and length of the next item, as far as they came. */
  private head = Buffer.alloc(0)
  private key = ''
  private left = 0
  private value: Buffer[] | null = null
  private problem: string | null = null
  private pattern: string | null = null
  private isFirst = true
  private isOpen = false
  private hasFooter = false
  private sets: MetadataSet[] = []
  private readonly tracks = new Map<string, Track>()

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.problem === null; ) {
      const length = Math.min(chunk.length - at, this.left > 0 ? this.left : this.headBytes() - this.head.length)
      const part = chunk.subarray(at, at + length)
      at += length
      this.at += length
      if (this.left > 0) {
        this.value?.push(Buffer.from(part))
        this.left -= length
        if (this.left === 0) this.endItem()
      } else {
        this.head = Buffer.concat([this.head, part])
        if (this.head.length === this.headBytes()) this.beginItem()
      }
    }
  }

  finish(): TrackFile {
    if (this.left > 0) this.problem ??= `its last item ends ${this.left} bytes early`
    else if (this.head.length > 0) this.problem ??= 'it ends within an item'
    else if (this.isFirst) this.problem ??= 'it is empty'
    else if (this.isOpen && !this.hasFooter) this.problem ??= 'it has no footer: its writing was not finished'
    else if (this.tracks.size === 0) this.problem ??= 'it holds no essence'
    const descriptor = this.sets.find(({ kind, values }) => kind !== MULTIPLE && values.has(TAG.sampleRate))?.values
    const rate = rateOf(descriptor?.get(TAG.sampleRate))
    const duration = descriptor?.get(TAG.duration)
    const stated = duration?.length === 8 ? Number(duration.readBigInt64BE(0)) : -1
    return {
      problem: this.problem,
      pattern: this.pattern,
      id: this.idOf(),
      kinds: [...this.tracks.values()].map(({ kind }) => kind),
      rate,
      units: this.countUnits(descriptor, rate),
      stated: stated >= 0 ? stated : null,
    }
  }

  /** 16 bytes of key, one of length, and the bytes that this one announces (ST 336, BER). */
  private headBytes(): number {
    const first = this.head[16] ?? 0
    return 17 + (first >= 0x80 ? first & 0x7f : 0)
  }

  private beginItem(): void {
    const { head } = this
    this.head = Buffer.alloc(0)
    this.key = head.toString('hex', 0, 16)
    const start = this.at - head.length
    if (this.isFirst && !PARTITION.test(this.key)) this.problem = 'it does not begin with a header partition of MXF'
    else if (!this.key.startsWith(LABEL)) this.problem = `no item begins at byte ${start}`
    else if (head.length > 17 + 8 || head[16] === 0x80) this.problem = `the item at byte ${start} has no length`
    else if (this.items > MOST_ITEMS) this.problem = `it has more than ${MOST_ITEMS / 1_000_000} million items`
    if (this.problem !== null) return
    this.isFirst = false
    this.items += 1
    const length =
      head.length === 17 ? head.readUInt8(16) : [...head.subarray(17)].reduce((sum, by) => sum * 256 + by, 0)
    this.left = length
    this.note(length)
    this.value = this.isRead(length) ? [] : null
    if (this.value) this.keptBytes += length
    if (length === 0) this.endItem()
  }

  private isRead(length: number): boolean {
    if (length > MOST_VALUE_BYTES) return false
    return PARTITION.test(this.key) || (SET.test(this.key) && this.keptBytes + length <= MOST_KEPT_BYTES)
  }

  private note(length: number): void {
    if (ENCRYPTED.test(this.key)) this.problem = 'it is encrypted'
    const kind = ESSENCE.test(this.key) ? KINDS[this.key.slice(24, 26)] : undefined
    if (!kind) return
    const number = this.key.slice(24)
    const track = this.tracks.get(number) ?? { kind, items: 0, bytes: 0 }
    track.items += 1
    track.bytes += length
    if (this.tracks.size < 100) this.tracks.set(number, track)
  }

  private endItem(): void {
    const value = this.value && Buffer.concat(this.value)
    this.value = null
    if (!value) return
    const [, kind, status] = PARTITION.exec(this.key) ?? []
    if (kind !== undefined) this.readPartition(value, kind, status === '01' || status === '03')
    else this.sets.push({ kind: SET.exec(this.key)?.[1] ?? '', values: valuesOf(value) })
  }

  /** ST 377-1, table 5: places, and how many bytes of metadata follow. */
  private readPartition(pack: Buffer, kind: string, isOpen: boolean): void {
    if (pack.length < PARTITION_BYTES) {
      this.problem = `a partition pack has ${pack.length} bytes instead of 88 or more`
      return
    }
    if (pack.readBigUInt64BE(32) > 0n) {
      this.sets = []
      this.keptBytes = 0
      this.pattern = patternOf(pack)
      this.isOpen = isOpen
    }
    this.hasFooter ||= kind === '04'
  }

  private idOf(): string | null {
    const umid = this.sets.find(({ kind }) => kind === CONTAINER_DATA)?.values.get(LINKED_PACKAGE)
    if (umid?.length !== 32) return null
    return umid.toString('hex', 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  /** Frames by their items; audio by its bytes, whether it is wrapped by the frame or as one clip. */
  private countUnits(descriptor: ReadonlyMap<number, Buffer> | undefined, rate: Rate | null): number | null {
    const [track] = this.tracks.values()
    if (!track || !descriptor || this.tracks.size > 1) return null
    if (track.kind === 'image') return track.items
    const block = descriptor.get(TAG.blockAlign)
    const audioRate = rateOf(descriptor.get(TAG.audioRate))
    if (track.kind !== 'audio' || block?.length !== 2 || block.readUInt16BE(0) === 0 || !audioRate || !rate) return null
    const samples = track.bytes / block.readUInt16BE(0)
    return (samples * audioRate.den * rate.num) / (audioRate.num * rate.den)
  }
}
