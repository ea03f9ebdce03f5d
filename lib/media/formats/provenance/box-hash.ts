import { createHash } from 'node:crypto'
import type { ByteSource } from '../byte-source'
import type { CborValue } from './cbor'

/** A box of an ISO base media file, `size` with its header. */
type MovieBox = { path: string; start: number; size: number; head: number; isTop: boolean }

const MOST_BOXES = 200_000
const MOST_DEPTH = 12
/** Boxes that hold boxes, with the bytes that stand before these. */
const HOLDERS: Readonly<Record<string, number>> = {
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  dinf: 0,
  edts: 0,
  udta: 0,
  mvex: 0,
  moof: 0,
  traf: 0,
  mfra: 0,
  meta: 4,
}
/** What may be left out of a hash beside the manifest: it shows nothing, or says where in the file something lies. */
const HARMLESS = /^\/(ftyp|mfra|free|skip|emsg|styp|sidx|ssix|prft)$|\/(stco|co64|tfhd|trun|saio)$/

/** Why a hash by boxes is not evaluated. */
export class Unreadable extends Error {}

/**
 * Whether the boxes of a file are those that were hashed: `c2pa.hash.bmff.v2` and `.v3` (C2PA 2.1, BMFF-based hash). Boxes that
 * the assertion names are left out, whole or in parts; each box of the file itself that is left counts with its place.
 * @throws Unreadable where it is stated in a way that is not evaluated
 */
export function isHashedBox(
  source: ByteSource,
  stated: Map<CborValue, CborValue>,
  algorithm: string,
  isManifest: (start: number) => boolean,
): boolean {
  const wanted = stated.get('hash')
  if (stated.get('merkle') !== undefined && stated.get('merkle') !== null)
    throw new Unreadable('the file was hashed in parts (Merkle tree), which is not evaluated')
  if (!Buffer.isBuffer(wanted)) throw new Unreadable('the hash of the file cannot be read')
  const boxes = listBoxes(source)
  const left: { start: number; end: number }[] = []
  const gone = new Set<number>()
  for (const exclusion of listOf(stated.get('exclusions'))) {
    for (const box of boxes.filter((each) => each.path === exclusion.get('xpath'))) {
      if (!fits(source, box, exclusion)) continue
      const subset = listOf(exclusion.get('subset'))
      const isHarmless = HARMLESS.test(box.path) || isManifest(box.start)
      if (!isHarmless) throw new Unreadable(`the hash of the file leaves out “${box.path}”`)
      if (subset.length === 0) {
        gone.add(box.start)
        left.push({ start: box.start, end: box.start + box.size })
      }
      for (const part of subset) {
        const [offset, length] = [numberOf(part.get('offset')), numberOf(part.get('length'))]
        if (offset === null || length === null) throw new Unreadable('what the hash leaves out cannot be read')
        if (offset > box.size) continue
        const end = length === 0 ? box.size : Math.min(offset + length, box.size)
        left.push({ start: box.start + offset, end: box.start + end })
      }
    }
  }
  const places = boxes.filter(({ isTop, start }) => isTop && !gone.has(start)).map(({ start }) => start)
  return hashOf(source, algorithm, left, places).equals(wanted)
}

function hashOf(
  source: ByteSource,
  algorithm: string,
  left: { start: number; end: number }[],
  places: number[],
): Buffer {
  const hash = createHash(algorithm)
  const steps = [
    ...left.map(({ start, end }) => ({ at: start, end })),
    ...places.map((at) => ({ at, end: null })),
    { at: source.size, end: source.size },
  ].sort((a, b) => a.at - b.at || (a.end === null ? -1 : 1))
  let at = 0
  for (const step of steps) {
    if (step.at > at) for (const piece of source.pieces(at, step.at)) hash.update(piece)
    at = Math.max(at, step.at)
    if (step.end === null) {
      const place = Buffer.alloc(8)
      place.writeBigUInt64BE(BigInt(step.at))
      hash.update(place)
    } else at = Math.max(at, step.end)
  }
  return hash.digest()
}

/** Whether an exclusion means this box: by its size, its version and flags, and bytes in it. */
function fits(source: ByteSource, box: MovieBox, exclusion: Map<CborValue, CborValue>): boolean {
  const length = numberOf(exclusion.get('length'))
  if (length !== null && length !== box.size) return false
  const full = source.upTo(box.start + box.head, 4)
  const version = numberOf(exclusion.get('version'))
  if (version !== null && full[0] !== version) return false
  const flags = exclusion.get('flags')
  if (Buffer.isBuffer(flags) && flags.length === 3 && full.length === 4) {
    const [asked, has] = [flags.readUIntBE(0, 3), full.readUIntBE(1, 3)]
    const isExact = exclusion.get('exact') !== false
    if (isExact ? asked !== has : (asked | has) !== asked) return false
  }
  return listOf(exclusion.get('data')).every((part) => {
    const [offset, value] = [numberOf(part.get('offset')), part.get('value')]
    return offset !== null && Buffer.isBuffer(value) && source.upTo(box.start + offset, value.length).equals(value)
  })
}

function listBoxes(source: ByteSource): MovieBox[] {
  const boxes: MovieBox[] = []
  listLevel(source, { start: 0, end: source.size, path: '', depth: 0 }, boxes)
  return boxes
}

function listLevel(
  source: ByteSource,
  level: { start: number; end: number; path: string; depth: number },
  boxes: MovieBox[],
): void {
  for (let at = level.start; at + 8 <= level.end; ) {
    const bytes = source.upTo(at, 16)
    const stated = bytes.readUInt32BE(0)
    const isLong = stated === 1 && bytes.length === 16
    const size = isLong ? Number(bytes.readBigUInt64BE(8)) : stated === 0 ? level.end - at : stated
    const type = bytes.toString('latin1', 4, 8)
    const head = isLong ? 16 : 8
    // Bytes that are no box, or the beginning of one: of the file itself they count all the same.
    if (size < head || at + size > level.end) return
    if (boxes.length >= MOST_BOXES) throw new Unreadable('it has too many boxes')
    const path = `${level.path}/${type}`
    boxes.push({ path, start: at, size, head, isTop: level.depth === 0 })
    const before = HOLDERS[type]
    if (before !== undefined && level.depth < MOST_DEPTH)
      listLevel(source, { start: at + head + before, end: at + size, path, depth: level.depth + 1 }, boxes)
    at += size
  }
}

const numberOf = (value: CborValue | undefined) => (typeof value === 'number' && value >= 0 ? value : null)
const listOf = (value: CborValue | undefined): Map<CborValue, CborValue>[] =>
  Array.isArray(value) ? value.filter((each) => each instanceof Map) : []
