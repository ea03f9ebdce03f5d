import type { ByteSource } from '../byte-source'
import { corrupt } from '../defect'
import type { Examined } from '../format'
import { parseXml, type XmlElement } from '../image/xml'
import { decodeUnicode } from '../unicode'
import { CAPTION_ENGINE, Captions, captionBytes, shown } from './captions'

const NAMESPACE = /^http:\/\/www\.w3\.org\/(?:ns\/ttml|2006\/(?:04|10)\/ttaf1)/
/** Designators of profiles (IMSC 1.2, 5 and 6; EBU Tech 3380; SMPTE ST 2052-1). */
const PROFILES: readonly (readonly [RegExp, string])[] = [
  [/ttml\/profile\/imsc1\/text/, 'IMSC 1 Text'],
  [/ttml\/profile\/imsc1\/image/, 'IMSC 1 Image'],
  [/ttml\/profile\/imsc1\.1\/text/, 'IMSC 1.1 Text'],
  [/ttml\/profile\/imsc1\.1\/image/, 'IMSC 1.1 Image'],
  [/ttml\/profile\/imsc1\.2\/text/, 'IMSC 1.2 Text'],
  [/ttml\/profile\/imsc1\.2\/image/, 'IMSC 1.2 Image'],
  [/urn:ebu:tt:distribution/, 'EBU-TT-D'],
  [/smpte-ra\.org\/.*2052/, 'SMPTE-TT'],
]

type Clock = { frameRate: number; subFrameRate: number; tickRate: number; isSmpte: boolean }
/** An element that is open: seconds from the start; `end` null: as long as what holds it. */
type Open = {
  name: string
  start: number
  end: number | null
  /** Where the next child begins that stands in a sequence. */
  next: number
  isSequence: boolean
  region: string
}

/** TTML 2 (W3C) and its profiles IMSC and EBU-TT-D: times by 8.1 to 12.3, captions are the paragraphs that have text. */
export function examineTtml(source: ByteSource): Examined {
  // IMSC 1.2, 6.1: always UTF-8; other TTML may have a byte order mark.
  const text = decodeUnicode(captionBytes(source))
  const open: Open[] = []
  let captions: Captions | null = null
  let clock: Clock | null = null
  let paragraph: {
    lines: string[]
    start: number
    end: number | null
    isImage: boolean
    spans: { start: number; end: number }[]
  } | null = null
  parseXml(text, {
    open: (element) => {
      const { localName } = element
      if (open.length === 0) {
        if (localName !== 'tt') throw corrupt(`its root is <${element.name}> and not <tt>`)
        captions = new Captions('ttml', statedBy(element))
        clock = clockOf(element)
        if (!NAMESPACE.test(namespaceOf(element)))
          captions.problem(null, `the root is not in a namespace of TTML: ${shown(namespaceOf(element))}`)
      }
      if (!captions || !clock) return
      const holder = open.at(-1)
      const timed = /^(?:body|div|p|span|br|set)$/.test(localName)
        ? timesOf(element, clock, holder, captions)
        : { start: holder?.start ?? 0, end: holder?.end ?? null }
      open.push({
        name: localName,
        ...timed,
        next: timed.start,
        isSequence: attribute(element, 'timeContainer') === 'seq',
        region: attribute(element, 'region') ?? holder?.region ?? '',
      })
      const hasImage = attribute(element, 'backgroundImage') !== undefined || localName === 'image'
      if (localName === 'p') paragraph = { lines: [''], ...timed, isImage: hasImage, spans: [] }
      else if (localName === 'div' && hasImage && timed.end !== null) {
        captions.add({ ...timed, end: timed.end, lines: null, place: open.at(-1)?.region ?? '' }, null)
      } else if (paragraph && localName === 'br') paragraph.lines.push('')
      else if (paragraph && localName === 'span' && timed.end !== null && attribute(element, 'begin') !== undefined)
        paragraph.spans.push({ start: timed.start, end: timed.end })
    },
    text: (content) => {
      if (!paragraph || open.some(({ name }) => name === 'metadata')) return
      const at = paragraph.lines.length - 1
      // White space is collapsed by default (xml:space, TTML 2, 8.2.9).
      paragraph.lines[at] = `${paragraph.lines[at]}${content}`.replace(/\s+/g, ' ')
    },
    close: () => {
      const closed = open.pop()
      const holder = open.at(-1)
      if (closed && holder?.isSequence && closed.end !== null) holder.next = closed.end
      if (closed?.name !== 'p' || !paragraph || !captions) return
      const { lines, isImage, spans } = paragraph
      const start = spans.length > 0 ? Math.min(...spans.map((span) => span.start)) : paragraph.start
      const end =
        spans.length > 0 && paragraph.end === null ? Math.max(...spans.map((span) => span.end)) : paragraph.end
      paragraph = null
      if (!isImage && lines.every((line) => line.trim() === '')) return
      if (end === null) {
        captions.problem(null, `the caption ${shown(lines.join(' ').trim())} never ends`)
        return
      }
      const held = lines.filter((line) => line.trim() !== '')
      captions.add({ start, end, lines: isImage ? null : held, place: closed.region }, null)
    },
    instruction: () => {},
  })
  if (!captions) throw corrupt('it has no root <tt>')
  return { media: (captions as Captions).finish(), engine: CAPTION_ENGINE }
}

/** By local name: prefixes are anybody's choice. */
function attribute(element: XmlElement, name: string): string | undefined {
  for (const [key, value] of element.attributes) if (key.slice(key.indexOf(':') + 1) === name) return value
  return undefined
}

function namespaceOf({ name, attributes }: XmlElement): string {
  const colon = name.indexOf(':')
  return attributes.get(colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`) ?? ''
}

function statedBy(root: XmlElement): { profile: string | null; language: string | null } {
  const said = [...root.attributes]
    .filter(([key]) => /(?:^|:)(?:profile|contentProfiles)$/.test(key))
    .map(([, value]) => value)
  const all = [
    ...said,
    ...[...root.attributes].filter(([key]) => key.startsWith('xmlns')).map(([, value]) => value),
  ].join(' ')
  return {
    profile:
      PROFILES.find(([pattern]) => pattern.test(said.join(' ')))?.[1] ??
      PROFILES.find(([pattern]) => pattern.test(all))?.[1] ??
      null,
    language: root.attributes.get('xml:lang') || null,
  }
}

/** Parameters of times (TTML 2, 7.2). */
function clockOf(root: XmlElement): Clock {
  const number = (name: string) => Number(attribute(root, name)) || null
  const [numerator = 1, denominator = 1] = (attribute(root, 'frameRateMultiplier') ?? '1 1').split(/[ :]/).map(Number)
  const frameRate = ((number('frameRate') ?? 30) * (numerator || 1)) / (denominator || 1)
  const subFrameRate = number('subFrameRate') ?? 1
  return {
    frameRate,
    subFrameRate,
    tickRate: number('tickRate') ?? (number('frameRate') ? frameRate * subFrameRate : 1),
    isSmpte: attribute(root, 'timeBase') === 'smpte',
  }
}

/** Times count from the start of what holds the element, or from the end of the child before in a sequence (TTML 2, 12.3); those of SMPTE count from nought. */
function timesOf(element: XmlElement, clock: Clock, holder: Open | undefined, captions: Captions) {
  const from = clock.isSmpte ? 0 : !holder ? 0 : holder.isSequence ? holder.next : holder.start
  const read = (name: string) => {
    const written = attribute(element, name)
    if (written === undefined) return null
    const seconds = secondsOf(written, clock)
    if (seconds === null) captions.problem(null, `${name}=${shown(written)} is no time`)
    return seconds
  }
  const [begin, end, dur] = [read('begin'), read('end'), read('dur')]
  const start = begin === null ? (holder?.isSequence ? holder.next : (holder?.start ?? 0)) : from + begin
  const ends = [end === null ? null : from + end, dur === null ? null : start + dur, holder?.end ?? null]
  const known = ends.filter((each): each is number => each !== null)
  return { start, end: known.length > 0 ? Math.min(...known) : null }
}

/** Expressions of time (TTML 2, 12.3.1): `00:00:01.5`, `00:00:01:12`, `1.5s`, `36f`, `90000t`. */
function secondsOf(written: string, { frameRate, subFrameRate, tickRate }: Clock): number | null {
  const clockTime = /^(\d{2,}):([0-5]\d):([0-5]\d)(?:(\.\d+)|:(\d{2,})(?:\.(\d+))?)?$/.exec(written)
  if (clockTime) {
    const [, hours, minutes, seconds, fraction, frames, subFrames] = clockTime
    if (Number(frames ?? 0) >= Math.ceil(frameRate)) return null
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    return whole + Number(fraction ?? 0) + (Number(frames ?? 0) + Number(subFrames ?? 0) / subFrameRate) / frameRate
  }
  const offset = /^(\d+(?:\.\d+)?)(h|ms|m|s|f|t)$/.exec(written)
  if (!offset) return null
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frameRate, t: 1 / tickRate }
  return Number(offset[1]) * (units[offset[2] as string] as number)
}
