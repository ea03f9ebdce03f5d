import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { findHeader, PARTITION } from './mxf-header'
import { ENCRYPTED, ESSENCE, LABEL, MOST_ITEMS, PARTITION_BYTES, patternOf, RANDOM_INDEX_PACK } from './mxf-keys'
import { MxfTimecode } from './mxf-timecode'

const PREFACE = /^060e2b34025301..0d01010101012f00$/

type Item = { key: string; value: number; length: number; end: number }
type Partition = {
  /** Places count from the header partition, as they do in the file. */
  at: number
  this: number
  previous: number
  footer: number
  isFooter: boolean
  isOpen: boolean
  pattern: string | null
}

/** MXF (SMPTE ST 377-1:2011): video and audio in one file, with its essence inside it. */
export function examineMxf(source: ByteSource, examination: Examination): Examined {
  const runIn = findHeader(source) ?? 0
  const timecode = new MxfTimecode()
  const partitions = readItems(source, runIn, timecode)
  validatePartitions(partitions, source.size - runIn)
  const report = decodeMedia(
    source.path,
    'mxf',
    examination.decodeUntil,
    examination.meter,
    examination.keyFramesOnly,
    0,
    examination.done,
  )
  try {
    const media = mediaFacts(report, {
      container: 'mxf',
      fileSize: source.size,
      fastStart: false,
      fragmented: false,
    })
    const { pattern } = partitions.findLast(({ isOpen }) => !isOpen) ?? partitions[0] ?? { pattern: null }
    const stated =
      media.kind === 'video'
        ? { ...media, operationalPattern: pattern, timecodeJumps: timecode.finish(media.frameRate.average) }
        : media
    return { media: stated, complete: report.complete, engine: MEDIA_ENGINE }
  } finally {
    report.format.closeInputSync()
  }
}

/** Goes over all items of the file by key and length (ST 336). @throws Defect for an item that cannot be one, or is cut off */
function readItems(source: ByteSource, runIn: number, timecode: MxfTimecode): Partition[] {
  const partitions: Partition[] = []
  let hasPreface = false
  let hasEssence = false
  let isEncrypted = false
  let index: Item | undefined
  let count = 0
  for (let at = runIn; at < source.size; count += 1) {
    if (index) throw corrupt(`${source.size - at} bytes follow the random index pack, which ends an MXF file`)
    if (count > MOST_ITEMS) throw corrupt(`more than ${MOST_ITEMS / 1_000_000} million items`)
    const item = readItem(source, at)
    if (PARTITION.test(item.key)) partitions.push(readPartition(source, at, runIn, item))
    timecode.take(source, item)
    hasPreface ||= PREFACE.test(item.key)
    hasEssence ||= ESSENCE.test(item.key)
    isEncrypted ||= ENCRYPTED.test(item.key)
    if (RANDOM_INDEX_PACK.test(item.key)) index = item
    at = item.end
  }
  if (!hasPreface) throw corrupt('its header has no preface, which says what the file holds')
  if (isEncrypted) throw corrupt('it is encrypted: send it without')
  if (!hasEssence) throw corrupt('it holds no video or audio; essence in files of its own is not accepted')
  if (index) validateIndex(source, index, partitions, runIn)
  return partitions
}

function readItem(source: ByteSource, at: number): Item {
  const head = source.bytes(at, 17, 'an item')
  const key = head.toString('hex', 0, 16)
  if (!key.startsWith(LABEL)) throw corrupt(`no item begins at byte ${at}`)
  const first = head.readUInt8(16)
  const more = first < 0x80 ? 0 : first & 0x7f
  if (first >= 0x80 && (more === 0 || more > 8)) throw corrupt(`the item at byte ${at} has no length`)
  let length = first < 0x80 ? first : 0
  for (const byte of more > 0 ? source.bytes(at + 17, more, 'the length of an item') : []) length = length * 256 + byte
  const value = at + 17 + more
  if (value + length > source.size)
    throw truncated(`the item at byte ${at} declares ${length} bytes, ${source.size - value} are there`)
  return { key, value, length, end: value + length }
}

/** ST 377-1, 7.1 and table 5. */
function readPartition(source: ByteSource, at: number, runIn: number, { key, value, length }: Item): Partition {
  if (length < PARTITION_BYTES)
    throw corrupt(`the partition pack at byte ${at} has ${length} bytes instead of 88 or more`)
  const [, kind, status] = PARTITION.exec(key) ?? []
  const pack = source.bytes(value, PARTITION_BYTES, 'a partition pack')
  return {
    at: at - runIn,
    this: Number(pack.readBigUInt64BE(8)),
    previous: Number(pack.readBigUInt64BE(16)),
    footer: Number(pack.readBigUInt64BE(24)),
    isFooter: kind === '04',
    isOpen: status === '01' || status === '03',
    pattern: patternOf(pack),
  }
}

/** Each partition says where it lies, where the one before does, and where the footer is, once that is written. */
function validatePartitions(partitions: readonly Partition[], size: number): void {
  const [header] = partitions
  if (!header) throw corrupt('it has no partition')
  for (const [index, each] of partitions.entries()) {
    if (each.this !== each.at) throw corrupt(`the partition at byte ${each.at} says that it lies at byte ${each.this}`)
    // Some writers leave it at 0.
    if (each.previous > 0 && each.previous !== partitions[index - 1]?.at)
      throw corrupt(`the partition at byte ${each.at} says that the one before lies at byte ${each.previous}`)
    if (each.footer >= size) throw truncated(`the footer would lie at byte ${each.footer} of ${size}`)
  }
  const footer = partitions.find(({ isFooter }) => isFooter)
  const named = partitions.find(({ footer: at }) => at > 0)
  if (named && !partitions.some(({ at, isFooter }) => isFooter && at === named.footer))
    throw corrupt(`no footer lies at byte ${named.footer}, where a partition names it`)
  // The header stays open until a writer ends the file (ST 377-1, 6.2.3); a closed one needs no footer.
  if (!footer && header.isOpen) throw truncated('it has no footer: its writing was not finished')
}

/** The random index pack lists all partitions by number of their essence and place (ST 377-1, 12.2). */
function validateIndex(
  source: ByteSource,
  { value, length }: Item,
  partitions: readonly Partition[],
  runIn: number,
): void {
  if (length < 4 || (length - 4) % 12 !== 0) throw corrupt(`the random index pack has ${length} bytes`)
  // Some writers count from the start of the file.
  const places = new Set(partitions.flatMap(({ at }) => [at, at + runIn]))
  for (let at = value; at + 12 <= value + length - 4; at += 12) {
    const place = Number(source.bytes(at + 4, 8, 'the random index pack').readBigUInt64BE(0))
    if (!places.has(place)) throw corrupt(`the random index pack names a partition at byte ${place}, where none is`)
  }
}
