import { ByteSource } from '../formats/byte-source'
import { type Box, readBoxes, readChildren } from '../formats/video/iso-boxes'
import { Output, type Patch, writePatched } from './output'
import { blankXmp } from './position'

/** MP4 and QuickTime by their boxes (ISO/IEC 14496-12): nothing is coded again, no sample is touched. */

const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

/** Puts the index before the media data. Every sample keeps its bytes; what says where they lie is moved on. */
export function moveIndexForward(from: string, into: string): void {
  const source = new ByteSource(from)
  try {
    const boxes = readBoxes(source, 0, source.size, true)
    const movie = boxes.find(({ type }) => type === 'moov')
    const data = boxes.find(({ type }) => type === 'mdat')
    if (!movie || !data || movie.start < data.start) throw new Error('its index lies before its frames already')
    const end = movie.offset + movie.length
    const index = Buffer.from(source.bytes(movie.start, end - movie.start))
    shiftChunks(source, movie, index, (offset) => (offset >= data.start && offset < movie.start ? index.length : 0))
    const output = new Output(into)
    try {
      output.copy(source, 0, data.start)
      output.write(index)
      output.copy(source, data.start, movie.start)
      output.copy(source, end, source.size)
    } finally {
      output.close()
    }
  } finally {
    source.close()
  }
}

/** Adds to every chunk offset (8.7.5) of the index what `by` says for it. */
function shiftChunks(source: ByteSource, movie: Box, index: Buffer, by: (offset: number) => number): void {
  const visit = (box: Box) => {
    for (const child of readChildren(source, box)) {
      if (PARENTS.has(child.type)) visit(child)
      if (child.type === 'saio') throw new Error('it is encrypted by sample, and says where by byte')
      if (child.type !== 'stco' && child.type !== 'co64') continue
      const table = child.offset - movie.start
      const count = index.readUInt32BE(table + 4)
      for (let at = 0; at < count; at += 1) {
        const place = table + 8 + at * (child.type === 'co64' ? 8 : 4)
        if (child.type === 'co64') {
          const offset = Number(index.readBigUInt64BE(place))
          index.writeBigUInt64BE(BigInt(offset + by(offset)), place)
        } else {
          const offset = index.readUInt32BE(place)
          if (offset + by(offset) > 0xffffffff) throw new Error('it is too long for the kind of index it has')
          index.writeUInt32BE(offset + by(offset), place)
        }
      }
    }
  }
  visit(movie)
}

/** ©xyz of QuickTime, loci of 3GPP. */
const PLACE_BOXES = new Set(['\xa9xyz', 'loci'])
const PLACE_KEY = /location|gps/i
const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac'

/** Blanks where it was recorded: each box that says so becomes free space of the same length. */
export function blankMoviePosition(from: string, into: string): number {
  const source = new ByteSource(from)
  const patches: Patch[] = []
  try {
    const free = (box: Box) => {
      patches.push({ offset: box.offset - 4, bytes: Buffer.from('free', 'latin1') })
      patches.push({ offset: box.offset, bytes: Buffer.alloc(box.length) })
    }
    const xmp = (offset: number, length: number) => {
      const packet = Buffer.from(source.bytes(offset, length))
      const blank = blankXmp(packet)
      if (!blank.equals(packet)) patches.push({ offset, bytes: blank })
    }
    const visit = (box: Box) => {
      for (const child of readChildren(source, box, isFullMeta(source, box) ? 4 : 0)) {
        if (PLACE_BOXES.has(child.type)) free(child)
        else if (child.type === 'XMP_') xmp(child.offset, child.length)
        else if (['moov', 'trak', 'udta', 'meta'].includes(child.type)) visit(child)
      }
      if (box.type === 'meta') blankKeys(source, box, free)
    }
    for (const box of readBoxes(source, 0, source.size, true)) {
      if (box.type === 'moov') visit(box)
      if (box.type === 'uuid' && source.bytes(box.offset, 16).toString('hex') === XMP_UUID)
        xmp(box.offset + 16, box.length - 16)
    }
  } finally {
    source.close()
  }
  writePatched(from, into, patches)
  return patches.length
}

/** ISO's meta box begins with a version, QuickTime's with its first atom. */
const isFullMeta = (source: ByteSource, box: Box) =>
  box.type === 'meta' && box.length >= 12 && source.bytes(box.offset + 4, 4).toString('latin1') !== 'hdlr'

/** Items of a list (ilst) that are named by a table of keys (QuickTime File Format, Metadata). */
function blankKeys(source: ByteSource, meta: Box, free: (box: Box) => void): void {
  const children = readChildren(source, meta, isFullMeta(source, meta) ? 4 : 0)
  const keys = children.find(({ type }) => type === 'keys')
  const list = children.find(({ type }) => type === 'ilst')
  if (!keys || !list) return
  const names: string[] = []
  for (let at = keys.offset + 8; at + 8 <= keys.offset + keys.length; ) {
    const size = source.bytes(at, 4).readUInt32BE(0)
    if (size < 8) break
    names.push(source.bytes(at + 8, size - 8).toString('latin1'))
    at += size
  }
  for (const item of readChildren(source, list)) {
    const number = Buffer.from(item.type, 'latin1').readUInt32BE(0)
    if (PLACE_KEY.test(names[number - 1] ?? '')) free(item)
  }
}
