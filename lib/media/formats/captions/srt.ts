import type { ByteSource } from '../byte-source'
import type { Examined } from '../format'
import { CAPTION_ENGINE, Captions, captionText, linesOf, shown } from './captions'

const TIMES =
  /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})([,.:])(\d{1,3})\s*-->\s*(\d{1,3}):(\d{1,2}):(\d{1,2})([,.:])(\d{1,3})\s*(.*)$/
const STRICT = /^\d{2,3}:[0-5]\d:[0-5]\d,\d{3} --> \d{2,3}:[0-5]\d:[0-5]\d,\d{3}(?: +X1:\d+ X2:\d+ Y1:\d+ Y2:\d+)?\s*$/

/**
 * SubRip. No standard: a number, a line of times, lines of text, an empty line, as the program wrote it and all players read
 * it. What players may read another way is a problem, not a defect.
 */
export function examineSrt(source: ByteSource): Examined {
  const { text, encoding } = captionText(source)
  const lines = linesOf(text.replace(/^\ufeff/, ''))
  const captions = new Captions('srt')
  if (encoding) captions.problem(null, `its text is ${encoding}, and players take UTF-8`)
  let number = 0
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string
    if (line.trim() === '') {
      at += 1
      continue
    }
    const isNumbered = /^\s*\d+\s*$/.test(line) && (lines[at + 1] ?? '').includes('-->')
    const timesAt = isNumbered ? at + 1 : at
    const times = lines[timesAt] as string
    const found = TIMES.exec(times)
    if (!found) {
      captions.problem(
        timesAt + 1,
        times.includes('-->')
          ? `times cannot be read: ${shown(times)}; 00:00:01,000 --> 00:00:02,000 is expected`
          : `text without a time: ${shown(line)}`,
      )
      at = timesAt + 1
      // What follows belongs to the times that cannot be read.
      if (times.includes('-->')) while (at < lines.length && (lines[at] as string).trim() !== '') at += 1
      continue
    }
    number += 1
    if (!isNumbered) captions.problem(at + 1, `a caption has no number; ${number} is expected`)
    else if (Number(line) !== number) {
      captions.problem(at + 1, `a caption is numbered ${line.trim()}; ${number} is expected`)
      number = Number(line)
    }
    if (!STRICT.test(times))
      captions.problem(timesAt + 1, `times are written ${shown(times)}; 00:00:01,000 --> 00:00:02,000 is expected`)
    const body: string[] = []
    at = timesAt + 1
    while (at < lines.length && (lines[at] as string).trim() !== '' && !startsCaption(lines, at))
      body.push(lines[at++] as string)
    const joined = body.join('\n')
    captions.add(
      {
        start: secondsOf(found.slice(1, 6)),
        end: secondsOf(found.slice(6, 11)),
        lines: textOf(joined).split('\n'),
        place: /\{\\an?(\d+)\}/.exec(joined)?.[1] ?? '2',
      },
      timesAt + 1,
    )
  }
  return { media: captions.finish(), engine: CAPTION_ENGINE }
}

/** A number and times with no empty line before them: the one before was forgotten. */
const startsCaption = (lines: readonly string[], at: number) =>
  TIMES.test(lines[at] as string) || (/^\s*\d+\s*$/.test(lines[at] as string) && TIMES.test(lines[at + 1] ?? ''))

function secondsOf([hours, minutes, seconds, , fraction]: readonly (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number((fraction ?? '0').padEnd(3, '0')) / 1000
}

const textOf = (text: string) => text.replace(/<\/?(?:[ibus]|font)\b[^>\n]*>/gi, '').replace(/\{\\[^}\n]*\}/g, '')
