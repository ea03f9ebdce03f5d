import type { ByteSource } from '../byte-source'
import { corrupt, printable, truncated } from '../defect'
import type { Examined } from '../format'
import { CAPTION_ENGINE, Captions, captionBytes } from './captions'

const GSI = 1024
const TTI = 128
const DISPLAY: Readonly<Record<string, string>> = {
  '0': 'open subtitles',
  '1': 'teletext level 1',
  '2': 'teletext level 2',
}
/** Codes of languages that are common (EBU Tech 3264, appendix 3). */
const LANGUAGES: Readonly<Record<string, string>> = {
  '08': 'de',
  '09': 'en',
  '0A': 'es',
  '0F': 'fr',
  '15': 'it',
  '1D': 'nl',
  '20': 'pl',
  '21': 'pt',
  '28': 'sv',
  '1E': 'no',
  '07': 'da',
  '27': 'fi',
}
const [NEW_LINE, UNUSED] = [0x8a, 0x8f]
const [LAST_BLOCK, USER_DATA] = [0xff, 0xfe]

/** EBU STL: EBU Tech 3264-E, a block of 1,024 bytes about the programme and blocks of 128 bytes of text and times. */
export function examineEbuStl(source: ByteSource): Examined {
  const bytes = captionBytes(source)
  if (bytes.length < GSI) throw truncated(`the first block has 1,024 bytes, ${bytes.length} are there`)
  const field = (from: number, length: number) => bytes.toString('latin1', from, from + length).trim()
  const number = (from: number, length: number) =>
    /^\d+$/.test(field(from, length)) ? Number(field(from, length)) : null
  const frameRate = Number(/^STL(\d\d)/.exec(field(3, 8))?.[1])
  if (frameRate !== 25 && frameRate !== 30)
    throw corrupt(`its disk format code is “${printable(field(3, 8))}”; STL25.01 or STL30.01 is expected`)
  const captions = new Captions('ebu-stl', {
    profile: DISPLAY[field(11, 1)] ?? null,
    language: LANGUAGES[field(14, 2).toUpperCase()] ?? null,
  })
  const rest = bytes.length - GSI
  const blocks = Math.floor(rest / TTI)
  const stated = number(238, 5)
  if (stated === null) captions.problem(null, 'the number of blocks (TNB) is not stated')
  else if (blocks < stated) throw truncated(`${stated} blocks of text are stated, ${blocks} are there`)
  else if (blocks > stated) captions.problem(null, `${stated} blocks of text are stated (TNB), ${blocks} are there`)
  if (rest % TTI !== 0) captions.problem(null, `${rest % TTI} bytes lie behind the last block`)
  // The start of the programme, from which in and out times count.
  const start = /^\d{8}$/.test(field(256, 8))
    ? timeOf(
        [0, 2, 4, 6].map((at) => Number(field(256 + at, 2))),
        frameRate,
      )
    : null
  if (start === null)
    captions.problem(null, `the start of the programme (TCP) is “${printable(field(256, 8))}”; hhmmssff is expected`)
  let [subtitles, before] = [0, -1]
  let content: number[] = []
  for (let block = 0; block < blocks; block += 1) {
    const at = GSI + block * TTI
    const extension = bytes[at + 3] as number
    const isComment = bytes[at + 15] === 1
    if (extension === USER_DATA || isComment) continue
    content.push(...bytes.subarray(at + 16, at + TTI))
    if (extension !== LAST_BLOCK) {
      if (content.length > 64 * TTI) throw corrupt('a subtitle runs over more than 64 blocks')
      continue
    }
    const serial = bytes.readUInt16LE(at + 1)
    const label = `subtitle ${serial} (block ${block + 1})`
    if (serial <= before) captions.problem(null, `${label} comes behind subtitle ${before}`)
    before = serial
    subtitles += 1
    const [from, to] = [
      timeOf([...bytes.subarray(at + 5, at + 9)], frameRate),
      timeOf([...bytes.subarray(at + 9, at + 13)], frameRate),
    ]
    const lines = rowsOf(content)
    content = []
    if (from === null || to === null) {
      captions.problem(null, `${label} has no valid times`)
      continue
    }
    captions.add({ start: from - (start ?? 0), end: to - (start ?? 0), lines, place: String(bytes[at + 13]) }, null)
  }
  if (content.length > 0) captions.problem(null, 'the last subtitle has no last block')
  const declared = number(243, 5)
  if (declared !== null && declared !== subtitles)
    captions.problem(null, `${declared} subtitles are stated (TNS), ${subtitles} are there`)
  return { media: captions.finish(), engine: CAPTION_ENGINE }
}

/** Hours, minutes, seconds and frames; null where one of them cannot be. */
function timeOf(
  [hours = 0, minutes = 0, seconds = 0, frames = 0]: readonly number[],
  frameRate: number,
): number | null {
  if (hours > 23 || minutes > 59 || seconds > 59 || frames >= frameRate) return null
  return hours * 3600 + minutes * 60 + seconds + frames / frameRate
}

/** Rows of text: control codes of teletext and of italics take no letter; marks (ISO 6937) stand before theirs. */
function rowsOf(content: readonly number[]): string[] {
  const rows = ['']
  for (const code of content) {
    if (code === UNUSED) break
    if (code === NEW_LINE) rows.push('')
    else if (code >= 0x20 && code < 0x80) rows[rows.length - 1] += String.fromCharCode(code)
    else if (code >= 0xa0 && !(code >= 0xc1 && code <= 0xcf)) rows[rows.length - 1] += String.fromCharCode(code)
  }
  return rows.filter((row) => row.trim() !== '')
}
