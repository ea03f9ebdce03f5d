import { z } from 'zod'
import type { Span } from '@/lib/media/measurements'
import { fail, mediaCheck, type Occurrence, pass, skip } from '../check'
import { countConfidence } from '../confidence'
import { ffmpeg } from '../recipe'
import { allOf, clock, count, decimal, seconds } from '../wording'

type Rule = 'any' | 'forbidden' | 'required'
/** One kind of thing that may stand before a programme. `sure`: of what is said of it. */
type Part = { name: string; rule: Rule; spans: readonly Occurrence[]; says: string; sure: number }

/** Of what was not found. */
const ABSENT = 0.95

const rule = (title: string, usual: Rule, source: string) =>
  z.enum(['any', 'forbidden', 'required']).default(usual).meta({ title, source })

export const leaderCheck = mediaCheck({
  id: 'leader_check',
  label: 'Bars, tone, slate and countdown',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'What stands before the programme on masters, and not on what is aired as it is. Colour bars, as seven upright stripes from white to blue (EBU, SMPTE, ARIB, ITU-R BT.2111), looked for once a second. Line-up tone, a steady sine between 100 and 2,300 Hz for a second and more in the first channel of a track. A slate: three lines of text and more that stand for two seconds and more, a clock beside them or not. A countdown: an image that stands but for a number that changes once a second, three times and more, or in which a hand goes round once a second. Slate and countdown lie in the first three minutes, with nothing but leader and black before them and a second of black behind them; so a title card, which has fewer lines or no black behind it, is no slate, and a clock in the picture no countdown.',
  severity: 'advisory',
  confidence:
    'Each look that shows bars is right with 0.95: 0.95 for bars of a second, 0.99 for longer ones. Each whole second of a tone with 0.85, as a synthesiser may hold a sine as well: 0.85 for one, 0.98 for two. Each line of a slate with 0.5, as a card with a notice may stand at the start as well: 0.88 for three, 0.97 for five. Each second of a countdown with 0.7: 0.97 for three. Where there are none: 0.95.',
  thresholds: z.strictObject({
    bars: rule(
      'Colour bars are',
      'forbidden',
      'Reasoned: what is aired or shown as it is has none; masters for tape begin with them (EBU R 82)',
    ),
    tone: rule(
      'Line-up tone is',
      'any',
      'Reasoned: either unless set, as music may hold a tone; with bars it is usually there',
    ),
    slate: rule(
      'A slate is',
      'any',
      'Reasoned: either unless set. Clearcast and the broadcasters of the UK ask for a clock slate of 7 s and 3 s of black before a commercial; what is shown online has none',
    ),
    countdown: rule(
      'A countdown is',
      'any',
      'Reasoned: either unless set. Masters count down from 10 or 8 to 2, then black (SMPTE universal leader, PBS)',
    ),
  }),
  run({ name, measures: { video, audio } }, rules) {
    const { testBars, leader } = video
    if (testBars === undefined) return skip('Colour bars were not looked for when the video was measured.')
    if (leader === undefined) return skip('Slates were not looked for when the video was measured.')
    if (Object.values(rules).every((each) => each === 'any'))
      return skip('Whether bars, tone, slate or countdown are there is not set for this media category.')
    const tones = (audio?.tracks ?? []).flatMap(({ tones = [] }, stream) => tones.map((each) => ({ ...each, stream })))
    const parts = [
      partOf('colour bars', rules.bars, testBars, {
        says: (bars) => `colour bars ${from(bars)} for about ${lasting(bars)}`,
        sure: (bars) => countConfidence(wholeSeconds(bars), 0.95),
      }),
      partOf('line-up tone', rules.tone, tones, {
        says: (tone) =>
          `a tone of ${tone.hertz} Hz at ${decimal(tone.levelDb, 1)} dBFS ${from(tone)} to ${clock(tone.end)}`,
        sure: (tone) => countConfidence(wholeSeconds(tone), 0.85),
      }),
      partOf('slate', rules.slate, leader.slates, {
        says: (slate) => `a slate of ${count(slate.lines, 'line')} ${from(slate)} for ${lasting(slate)}`,
        sure: (slate) => countConfidence(slate.lines, 0.5),
      }),
      partOf('countdown', rules.countdown, leader.countdowns, {
        says: (countdown) => `a countdown ${from(countdown)} for ${lasting(countdown)}`,
        sure: (countdown) => countConfidence(wholeSeconds(countdown), 0.7),
      }),
    ]
    const asked = parts.filter((part) => part.rule !== 'any')
    const wrong = asked.filter((part) => (part.rule === 'forbidden') === part.spans.length > 0)
    const wanted = allOf(asked.map((part) => (part.rule === 'forbidden' ? `no ${part.name}` : part.name)))
    const isOne = asked.length === 1 && asked[0]?.name !== 'colour bars'
    const details = `The video has ${allOf(parts.map(({ says }) => says))}; ${wanted} ${isOne ? 'is' : 'are'} wanted.`
    const extras = { measured: allOf(parts.map(({ says }) => says)), expected: wanted }
    if (wrong.length === 0) return pass(details, { ...extras, confidence: Math.min(...asked.map(({ sure }) => sure)) })
    const occurrences = wrong.flatMap(({ spans }) => spans).slice(0, 20)
    const end = Math.max(0, ...occurrences.map((each) => each.end ?? 0))
    return fail(details, {
      ...extras,
      confidence: Math.max(...wrong.map(({ sure }) => sure)),
      ...(occurrences.length > 0 && { occurrences }),
      fix:
        occurrences.length > 0
          ? ffmpeg(name, `-ss ${decimal(end, 3)} -map 0 -c copy`)
          : `Export “${name}” with its leader: ${wanted}.`,
    })
  },
})

/** What was found of one kind; the first is described, the surest counts. */
function partOf<T extends Span & { stream?: number }>(
  name: string,
  rule: Rule,
  found: readonly T[],
  { says, sure }: { says: (first: T) => string; sure: (one: T) => number },
): Part {
  const [first] = found
  if (!first) return { name, rule, spans: [], says: `no ${name}`, sure: ABSENT }
  const spans = found.map(({ start, end, stream }) => ({ start, end, ...(stream !== undefined && { stream }) }))
  return { name, rule, spans, says: says(first), sure: Math.max(...found.map(sure)) }
}

const from = ({ start }: Span) => `from ${clock(start)}`
const lasting = ({ start, end }: Span) => seconds(end - start)
/** At least one: bars are looked for once a second, a tone lasts for one. */
const wholeSeconds = ({ start, end }: Span) => Math.max(1, Math.floor(end - start + 0.001))
