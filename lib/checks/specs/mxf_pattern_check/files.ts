import { readFileSync, writeFileSync } from 'node:fs'
import { bad, good } from '../files'
import { clip } from '../video-files'

const programme = clip({ codec: 'prores', pixels: 'yuv422p10', frames: 12, metadata: { timecode: '10:00:00:00' } })

/** The label of OP1a up to where it says which pattern it is (SMPTE ST 377-1, operational patterns). */
const LABEL = Buffer.from('060e2b34040101010d010201', 'hex')

/** The same file, whose partitions and preface state another pattern. */
const stating = (item: number, packages: number) => (file: string) => {
  programme(file)
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf(LABEL); at >= 0; at = bytes.indexOf(LABEL, at + 1)) {
    // Labels of essence containers are longer by one digit here.
    if ((bytes[at + 12] ?? 0) > 3 || (bytes[at + 13] ?? 0) > 3) continue
    bytes.set([item, packages], at + 12)
  }
  writeFileSync(file, bytes)
}

/** With bytes before its header that no partition begins with. */
const behind = (length: number) => (file: string) => {
  programme(file)
  writeFileSync(file, Buffer.concat([Buffer.alloc(length, 0x2a), readFileSync(file)]))
}

const alone = { thresholds: { patterns: ['OP-Atom'] } }

export const FILES = [
  good('programme.mxf', programme),
  good('behind-a-run-in.mxf', behind(4096)),
  good('playlist.mxf', stating(2, 1), { thresholds: { patterns: ['OP1a', 'OP2a'] } }),
  bad('versions.mxf', stating(1, 3)),
  bad('playlist-not-wanted.mxf', stating(2, 1)),
  bad('no-track-alone.mxf', programme, alone),
]
