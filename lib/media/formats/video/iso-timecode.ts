import type { TimecodeJumps } from '../../facts'
import type { ByteSource } from '../byte-source'
import { type Box, readBoxes, readChildren } from './iso-boxes'
import { codeOf, jumpsOf, type TimecodeStatement } from './timecode-jumps'

/** Bytes of a timecode sample description up to its number of frames a second, with its size and type. */
const DESCRIPTION_BYTES = 33
/** Flags of the same: numbers are dropped; samples count tapes or takes instead of frames. */
const DROPS = 1
const COUNTS = 8
/** One for each frame of nine hours at 30 frames a second; what comes after them is not read. */
const MOST_STATEMENTS = 1_000_000

/** Times in units of the media. */
type Sample = { at: number; end: number; offset: number }
/** What of the media is shown, and from when on, in seconds. */
type Edit = { from: number; media: number; seconds: number }

/** A timecode track: its tables, whole frames a second to those it counts, units of its media a second. */
type TimecodeTrack = { track: Box; tables: Box; rate: number; units: number; isDrop: boolean; countsFrames: boolean }

function* timecodeTracks(source: ByteSource, movie: Box): Generator<TimecodeTrack> {
  for (const track of readChildren(source, movie).filter(({ type }) => type === 'trak')) {
    const tables = within(source, track, 'mdia', 'minf', 'stbl')
    const description = tables && read(source, tables, 'stsd')?.subarray(8)
    const header = within(source, track, 'mdia', 'mdhd')
    if (!tables || !header || !description || description.length < DESCRIPTION_BYTES) continue
    if (description.toString('latin1', 4, 8) !== 'tmcd') continue
    const flags = description.readUInt32BE(20)
    const [scale, duration, units] = [
      description.readUInt32BE(24),
      description.readUInt32BE(28),
      scaleOf(source, header),
    ]
    const countsFrames = (flags & COUNTS) === 0 && scale > 0 && duration > 0 && units > 0
    yield { track, tables, rate: scale / duration, units, isDrop: (flags & DROPS) !== 0, countsFrames }
  }
}

/**
 * Where the first timecode track of a movie does not run on: samples hold the number of their frame, edits say what of them is
 * shown (QuickTime File Format Specification, Timecode media, and Edit list atoms). Null without such a track, and where one
 * statement holds for all of it.
 */
export function readIsoTimecode(source: ByteSource, movie: Box): TimecodeJumps | null {
  const [first] = timecodeTracks(source, movie)
  const movieUnits = scaleOf(source, within(source, movie, 'mvhd'))
  if (!first?.countsFrames || movieUnits === 0) return null
  const samples = readSamples(source, first.tables)
  const edits = readEdits(source, within(source, first.track, 'edts', 'elst'), movieUnits)
  return jumpsOf(statementsOf(source, samples, edits, first), first.rate)
}

/**
 * What says which timecode a movie begins with: the places of all numbers of its timecode tracks, four bytes each, the first of
 * which is that of its first frame. Null without such a track, and where an edit leaves out how the track begins.
 */
export function isoTimecodeNumbers(
  source: ByteSource,
  movie: Box,
): { offsets: number[]; rate: number; isDrop: boolean } | null {
  const tracks = [...timecodeTracks(source, movie)]
  const [first] = tracks
  const movieUnits = scaleOf(source, within(source, movie, 'mvhd'))
  if (!first || movieUnits === 0 || !tracks.every(({ countsFrames }) => countsFrames)) return null
  const isWhole = ({ track }: TimecodeTrack) =>
    readEdits(source, within(source, track, 'edts', 'elst'), movieUnits)[0]?.media === 0
  if (!tracks.every(isWhole)) return null
  const offsets = tracks.flatMap(({ tables }) => readSamples(source, tables).map(({ offset }) => offset))
  return offsets.length === 0 ? null : { offsets, rate: first.rate, isDrop: first.isDrop }
}

function* statementsOf(
  source: ByteSource,
  samples: readonly Sample[],
  edits: readonly Edit[],
  { units, rate, isDrop }: { units: number; rate: number; isDrop: boolean },
): Generator<TimecodeStatement> {
  let count = 0
  for (const { from, media, seconds } of edits) {
    // Half a frame less: lengths of edits are rounded to the movie's own time.
    const end = media + (seconds - 0.5 / rate) * units
    for (let index = firstAfter(samples, media); index < samples.length; index += 1) {
      const { at, offset } = samples[index] as Sample
      count += 1
      if (at >= end || count > MOST_STATEMENTS) break
      const start = Math.max(at, media)
      const number = source.few(offset, 4).readInt32BE(0) + Math.round(((start - at) / units) * rate)
      yield { frame: Math.round((from + (start - media) / units) * rate), code: codeOf(number, rate, isDrop) }
    }
  }
}

/** The place of the first sample that ends after a time. */
function firstAfter(samples: readonly Sample[], time: number): number {
  let [low, high] = [0, samples.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((samples[middle] as Sample).end > time) high = middle
    else low = middle + 1
  }
  return low
}

/** By the tables of times, of chunks and of their places (ISO/IEC 14496-12, 8.6.1.2, 8.7.4 and 8.7.5); a sample has four bytes. */
function readSamples(source: ByteSource, tables: Box): Sample[] {
  const times = rows(read(source, tables, 'stts'), 8)
  const chunks = rows(read(source, tables, 'stsc'), 12)
  const offsets = rows(read(source, tables, 'stco'), 4).map((row) => row.readUInt32BE(0))
  for (const row of rows(read(source, tables, 'co64'), 8)) offsets.push(Number(row.readBigUInt64BE(0)))
  const samples: Sample[] = []
  let [at, time, left, run] = [0, 0, times[0]?.readUInt32BE(0) ?? 0, 0]
  for (const [chunk, offset] of offsets.entries()) {
    // Rows count chunks from 1; each holds until the next.
    while ((chunks[run + 1]?.readUInt32BE(0) ?? Number.POSITIVE_INFINITY) <= chunk + 1) run += 1
    const inChunk = chunks[run]?.readUInt32BE(4) ?? 0
    for (let index = 0; index < inChunk && samples.length < MOST_STATEMENTS; index += 1) {
      while (left === 0 && time < times.length) {
        time += 1
        left = times[time]?.readUInt32BE(0) ?? 0
      }
      const row = times[time]
      if (!row || offset + index * 4 + 4 > source.size) return samples
      const end = at + row.readUInt32BE(4)
      samples.push({ at, end, offset: offset + index * 4 })
      at = end
      left -= 1
    }
  }
  return samples
}

/** Without a list all of the media is shown from the start. Edits that show nothing (media time -1) let time pass. */
function readEdits(source: ByteSource, list: Box | undefined, movieUnits: number): Edit[] {
  const all = [{ from: 0, media: 0, seconds: Number.POSITIVE_INFINITY }]
  if (!list || list.length < 8) return all
  const content = source.bytes(list.offset, Math.min(list.length, 8 + MOST_STATEMENTS * 20))
  const isLong = content.readUInt8(0) === 1
  const edits: Edit[] = []
  let from = 0
  for (const row of rows(content, isLong ? 20 : 12)) {
    const units = isLong ? Number(row.readBigUInt64BE(0)) : row.readUInt32BE(0)
    const media = isLong ? Number(row.readBigInt64BE(8)) : row.readInt32BE(4)
    // A length of 0: to the end, which a writer in fragments does not know yet.
    const seconds = units === 0 ? Number.POSITIVE_INFINITY : units / movieUnits
    if (media >= 0) edits.push({ from, media, seconds })
    if (units === 0) break
    from += seconds
  }
  return edits.length > 0 ? edits : all
}

/** Units of a second, by a movie header or a media header (ISO/IEC 14496-12, 8.2.2 and 8.4.2); 0 where there is none. */
function scaleOf(source: ByteSource, header: Box | undefined): number {
  if (!header || header.length < 24) return 0
  const content = source.bytes(header.offset, 24)
  return content.readUInt32BE(content.readUInt8(0) === 1 ? 20 : 12)
}

/** The rows of a table behind its version, its flags and how many there are; those that are there. */
function rows(table: Buffer | undefined, width: number): Buffer[] {
  if (!table || table.length < 8) return []
  const count = Math.min(table.readUInt32BE(4), Math.floor((table.length - 8) / width), MOST_STATEMENTS)
  return Array.from({ length: count }, (_, index) => table.subarray(8 + index * width, 8 + (index + 1) * width))
}

function read(source: ByteSource, parent: Box, type: string): Buffer | undefined {
  const box = within(source, parent, type)
  return box && source.bytes(box.offset, Math.min(box.length, 8 + MOST_STATEMENTS * 12))
}

function within(source: ByteSource, box: Box, ...types: readonly string[]): Box | undefined {
  let found: Box | undefined = box
  for (const type of types)
    found = found && readBoxes(source, found.offset, found.offset + found.length).find((child) => child.type === type)
  return found
}
