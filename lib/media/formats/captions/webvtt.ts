import type { ByteSource } from '../byte-source'
import { corrupt } from '../defect'
import type { Examined } from '../format'
import { CAPTION_ENGINE, Captions, captionText, clock, linesOf, shown } from './captions'

const TIME = String.raw`(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})`
const TIMES = new RegExp(`^[ \\t]*${TIME}[ \\t]*-->[ \\t]*${TIME}(?:[ \\t]+(.*))?$`)
const SETTING =
  /^(?:vertical:(?:rl|lr)|line:-?[\d.]+%?(?:,(?:start|center|end))?|position:[\d.]+%(?:,(?:line-left|center|line-right))?|size:[\d.]+%|align:(?:start|center|end|left|right)|region:\S+)$/
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
  apos: "'",
}

/** WebVTT: The Web Video Text Tracks Format (W3C), section 4: the syntax of files, which is stricter than what browsers read. */
export function examineWebVtt(source: ByteSource): Examined {
  const { text, encoding } = captionText(source)
  if (encoding) throw corrupt(`its text is ${encoding}, and WebVTT is always UTF-8`)
  const lines = linesOf(text.replace(/^\ufeff/, ''))
  const captions = new Captions('webvtt')
  let at = 1
  // Lines of the header, such as X-TIMESTAMP-MAP of HLS (RFC 8216, 3.5).
  while (at < lines.length && lines[at] !== '' && !(lines[at] as string).includes('-->')) at += 1
  const regions = new Set<string>()
  let lastStart = 0
  let hasCues = false
  while (at < lines.length) {
    if (lines[at] === '') {
      at += 1
      continue
    }
    const first = at
    const block: string[] = []
    while (at < lines.length && lines[at] !== '') block.push(lines[at++] as string)
    const timesAt = block[0]?.includes('-->') ? 0 : block[1]?.includes('-->') ? 1 : -1
    const kind = /^(NOTE|STYLE|REGION)(?:[ \t]|$)/.exec(block[0] ?? '')?.[1]
    if (timesAt < 0) {
      if (kind === 'NOTE') continue
      if (kind && hasCues) captions.problem(first + 1, `${kind} stands behind the first caption`)
      else if (kind === 'REGION')
        for (const [, id] of block.join('\n').matchAll(/\bid:(\S+)/g)) regions.add(id as string)
      else if (!kind) captions.problem(first + 1, `text without a time: ${shown(block[0] as string)}`)
      continue
    }
    hasCues = true
    const line = first + timesAt + 1
    const found = TIMES.exec(block[timesAt] as string)
    if (!found) {
      captions.problem(
        line,
        `times cannot be read: ${shown(block[timesAt] as string)}; 00:01.000 --> 00:02.000 is expected`,
      )
      continue
    }
    const settings = (found[9] ?? '').split(/[ \t]+/).filter(Boolean)
    for (const setting of settings) {
      if (!SETTING.test(setting)) captions.problem(line, `${shown(setting)} is no setting of a caption`)
      else if (setting.startsWith('region:') && !regions.has(setting.slice(7)))
        captions.problem(line, `the region ${shown(setting.slice(7))} is not defined`)
    }
    const start = secondsOf(found.slice(1, 5))
    if (start < lastStart)
      captions.problem(line, `a caption starts at ${clock(start)}, before the one above it (${clock(lastStart)})`)
    lastStart = Math.max(lastStart, start)
    const body = block.slice(timesAt + 1)
    const arrow = body.findIndex((each) => each.includes('-->'))
    if (arrow >= 0) {
      captions.problem(line + arrow + 1, 'times stand in the text of a caption: an empty line is missing before them')
      at = first + timesAt + 1 + arrow
      // Its identifier, if any, went into the text above.
      body.length = arrow
    }
    captions.add(
      {
        start,
        end: secondsOf(found.slice(5, 9)),
        lines: textOf(body.join('\n')).split('\n'),
        place: settings
          .filter((each) => /^(?:line|position|region|vertical):/.test(each))
          .sort()
          .join(' '),
      },
      line,
    )
  }
  return { media: captions.finish(), engine: CAPTION_ENGINE }
}

function secondsOf([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number {
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(fraction) / 1000
}

const textOf = (text: string) =>
  text.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
