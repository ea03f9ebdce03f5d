import type { TimecodeJumps } from '../../facts'
import type { ByteSource } from '../byte-source'
import { CONTAINER_DATA, LINKED_PACKAGE, type MetadataSet, rateOf, valuesOf } from './mxf-sets'
import { codeOf, jumpsOf, type TimecodeStatement } from './timecode-jumps'

/** The system metadata pack of a content package (SMPTE ST 385 and ST 331), one to each frame. */
const SYSTEM_ITEM = /^060e2b34020501..0d01030104010100$/
const SYSTEM_ITEM_BYTES = 57
/** In its bitmap: the user's date and time are there. */
const HAS_USER_TIME = 0x10
const USER_TIME_AT = 40
/** The kind of those: timecode (SMPTE ST 12-1). */
const IS_TIMECODE = 0x81
/** Frames a second by bits 1 to 5 of the content package rate; bit 0 divides by 1.001 (SMPTE ST 326). */
const RATES = [0, 24, 25, 30, 48, 50, 60]

/** Sets of the header metadata (ST 377-1, annex B): filler, sequence, timecode component, essence container data, packages, track. */
const SET = /^060e2b34025301..0d0101010101(09|0f|14|23|36|37|3b)00$/
const MATERIAL_PACKAGE = '36'
const SOURCE_PACKAGE = '37'
const TIMECODE_COMPONENT = '14'
/** Local tags of the same. */
const TAG = {
  instance: 0x3c0a,
  packageId: 0x4401,
  tracks: 0x4403,
  sequence: 0x4803,
  editRate: 0x4b01,
  components: 0x1001,
  duration: 0x0202,
  start: 0x1501,
  base: 0x1502,
  drop: 0x1503,
}
const MOST_SETS = 100_000
const MOST_SET_BYTES = 4 * 1024 * 1024

/** The timecode an MXF file states more than once, taken while its items are gone over. */
export class MxfTimecode {
  /** By their instances: a later partition repeats and completes the sets of those before (ST 377-1, 6.2.3). */
  readonly #sets = new Map<string, MetadataSet>()
  /** Four bytes of ST 12-1 of each system item that states some. */
  readonly #codes: number[] = []
  #rate = 0

  take(source: ByteSource, { key, value, length }: { key: string; value: number; length: number }): void {
    if (SYSTEM_ITEM.test(key) && length >= SYSTEM_ITEM_BYTES)
      this.#takeSystemItem(source.bytes(value, SYSTEM_ITEM_BYTES))
    const kind = SET.exec(key)?.[1]
    if (kind && length <= MOST_SET_BYTES && this.#sets.size < MOST_SETS)
      this.#takeSet(kind, Buffer.from(source.bytes(value, length)))
  }

  #takeSystemItem(pack: Buffer): void {
    if ((pack.readUInt8(0) & HAS_USER_TIME) === 0 || pack.readUInt8(USER_TIME_AT) !== IS_TIMECODE) return
    const rate = pack.readUInt8(1)
    this.#rate = (RATES[(rate >> 1) & 0x1f] ?? 0) / (rate & 1 ? 1.001 : 1)
    this.#codes.push(pack.readUInt32BE(USER_TIME_AT + 1))
  }

  #takeSet(kind: string, content: Buffer): void {
    const values = valuesOf(content)
    const instance = values.get(TAG.instance)
    if (instance) this.#sets.set(instance.toString('hex'), { kind, values })
  }

  /**
   * Where it does not run on: of system items and of the packages, which may state the same, the one with the most jumps.
   * `frameRate` is that of the video, for system items that state none. Null where it is stated once only.
   */
  finish(frameRate: number): TimecodeJumps | null {
    const all = [this.#ofSystemItems(this.#rate || frameRate), ...this.#ofPackages()]
    return all.filter((each) => each !== null).sort((a, b) => b.count - a.count)[0] ?? null
  }

  #ofSystemItems(rate: number): TimecodeJumps | null {
    // Some writers leave it at 0.
    if (rate === 0 || this.#codes.every((code) => code === 0)) return null
    // Above 30 frames a second timecode counts pairs of frames (ST 12-1): every second frame has a number of its own.
    const isPaired = rate > 30.01
    const codes = isPaired ? this.#codes.filter((_, index) => index % 2 === 0) : this.#codes
    return jumpsOf(
      codes.map((code, frame) => ({ frame, code: readCode(code) })),
      isPaired ? rate / 2 : rate,
    )
  }

  #ofPackages(): (TimecodeJumps | null)[] {
    const sets = [...this.#sets.values()]
    const own = new Set(
      sets.flatMap(({ kind, values }) => (kind === CONTAINER_DATA ? (hex(values.get(LINKED_PACKAGE)) ?? []) : [])),
    )
    // Of packages of tapes, which the file only names, other times count.
    const packages = sets.filter(
      ({ kind, values }) =>
        kind === MATERIAL_PACKAGE || (kind === SOURCE_PACKAGE && own.has(hex(values.get(TAG.packageId)) ?? '')),
    )
    return packages.flatMap(({ values }) => this.#all(values.get(TAG.tracks))).map((track) => this.#ofTrack(track))
  }

  #ofTrack({ values }: MetadataSet): TimecodeJumps | null {
    const unitRate = rateOf(values.get(TAG.editRate))
    const sequence = this.#sets.get(hex(values.get(TAG.sequence)) ?? '')
    if (!unitRate) return null
    const editRate = unitRate.num / unitRate.den
    const components = this.#all(sequence?.values.get(TAG.components))
    const base = components.find(({ kind }) => kind === TIMECODE_COMPONENT)?.values.get(TAG.base)
    if (base?.length !== 2 || base.readUInt16BE(0) === 0) return null
    // Whole frames a second that timecode counts, to the edit units a second: 30 to 29.97, or 25 to 50.
    const perUnit = base.readUInt16BE(0) / Math.max(1, Math.round(editRate))
    return jumpsOf(statementsOf(components, perUnit, editRate * perUnit), editRate * perUnit)
  }

  /** The sets a batch of references names. */
  #all(batch: Buffer | undefined): MetadataSet[] {
    const found: MetadataSet[] = []
    for (let at = 8; batch && at + 16 <= batch.length; at += 16) {
      const set = this.#sets.get(batch.toString('hex', at, at + 16))
      if (set) found.push(set)
    }
    return found
  }
}

/** ST 377-1, annex B: each component begins where the one before ends, at a number of frames from midnight. */
function* statementsOf(
  components: readonly MetadataSet[],
  perUnit: number,
  rate: number,
): Generator<TimecodeStatement> {
  let frame = 0
  for (const { kind, values } of components) {
    const [start, duration] = [values.get(TAG.start), values.get(TAG.duration)]
    if (kind === TIMECODE_COMPONENT && start?.length === 8)
      yield { frame, code: codeOf(Number(start.readBigInt64BE(0)), rate, values.get(TAG.drop)?.[0] === 1) }
    // An unknown length is -1.
    if (duration?.length !== 8 || duration.readBigInt64BE(0) < 0n) return
    frame += Math.round(Number(duration.readBigInt64BE(0)) * perUnit)
  }
}

/** Frames, seconds, minutes and hours, tens and units in four bits each beside flags; bit 6 of the frames: numbers are dropped. */
function readCode(word: number): string {
  const two = (shift: number, tens: number) =>
    `${(word >>> (shift + 4)) & tens}${(word >>> shift) & 15}`.padStart(2, '0')
  return `${two(0, 3)}:${two(8, 7)}:${two(16, 7)}${word & 0x40000000 ? ';' : ':'}${two(24, 3)}`
}

const hex = (bytes: Buffer | undefined) => bytes?.toString('hex')
