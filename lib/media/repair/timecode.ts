import { marked, startFrame } from '@/lib/timecode'
import { ByteSource } from '../formats/byte-source'
import { readBoxes } from '../formats/video/iso-boxes'
import { isoTimecodeNumbers } from '../formats/video/iso-timecode'
import { type Patch, writePatched } from './output'

/** @param start `hh:mm:ss:ff`; numbers of frames are dropped or not as they were. Every other byte stays as it is. */
export function setTimecodeStart(from: string, into: string, start: string): void {
  const source = new ByteSource(from)
  let patches: Patch[]
  try {
    const movie = readBoxes(source, 0, source.size, true).find(({ type }) => type === 'moov')
    const found = movie && isoTimecodeNumbers(source, movie)
    if (!found) throw new Error('it has no timecode track that begins with its first frame')
    const { offsets, rate, isDrop } = found
    const numbers = offsets.map((offset) => source.few(offset, 4).readInt32BE(0))
    const more = startFrame(marked(start, isDrop), rate) - (numbers[0] ?? 0)
    patches = offsets.map((offset, at) => {
      const bytes = Buffer.alloc(4)
      bytes.writeInt32BE((numbers[at] ?? 0) + more)
      return { offset, bytes }
    })
  } finally {
    source.close()
  }
  writePatched(from, into, patches)
}
