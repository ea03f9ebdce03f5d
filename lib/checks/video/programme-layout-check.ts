import { z } from 'zod'
import type { Span, VideoMeasures } from '@/lib/media/measurements'
import { startFrame, timecodeAt } from '@/lib/timecode'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { allOf, seconds } from '../wording'
import { wantedTimecode } from './timecode-check'

/** Between two parts of a leader something may fade, or bars end, which are looked for once a second. */
const MOST_BETWEEN = 1.1
/** A picture may come out of black: its first frames are as dark as the black before them. */
const MOST_FADE_SECONDS = 1
/** Seconds by which a still may be measured too short: coding draws its first frames anew. */
const HOLD_UNCERTAINTY = 0.1

type Finding = { says: string; isWrong: boolean; wants: string; confidence: number; at: Span }

const length = (title: string, source: string) =>
  z.number().min(0).nullable().default(null).meta({ title, unit: 's', source })

export const programmeLayoutCheck = mediaCheck({
  id: 'programme_layout_check',
  label: 'First and last frame of the programme',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'Where the programme begins and ends on a master. It begins with the first frame that is not black behind bars, slate and countdown, or behind black at the head; without any of these with the first frame. That frame has the timecode that is wanted, and so much black before it; where it comes out of black, the timecode may lie up to a second before it, in that black. At the end, before black or the last frame, an image is held still.',
  severity: 'advisory',
  confidence:
    'First frame and black: 0.97, as they are counted in every frame and only a dark first image is taken for black; 0.99 where the first frame is just the wanted one; 0.8 where the wanted timecode lies in the black just before it, which may be a fade or too late. Hold: 0.95 where it is long enough, as a last movement may be too slow to be seen; where it is too short, how likely it is that, with a standard deviation of a tenth of a second, at most 0.95.',
  thresholds: z.strictObject({
    start: wantedTimecode(
      'Timecode of the first frame, as 10:00:00:00',
      'Reasoned: none unless set; 10:00:00:00 for commercials in the UK (Clearcast, Timing of a commercial), where vision may fade up from black from there on',
    ),
    min_black_before_seconds: length(
      'Least black before it',
      'Reasoned: none unless set; 3 s behind the clock slate for commercials in the UK (Clearcast, Timing of a commercial)',
    ),
    min_hold_seconds: length(
      'Least time the last image is held',
      'Reasoned: none unless set; 5 s, completely still, for commercials in the UK (Clearcast, Timing of a commercial)',
    ),
  }),
  run({ name, media, measures: { video } }, { start, min_black_before_seconds, min_hold_seconds }) {
    if (start === null && min_black_before_seconds === null && min_hold_seconds === null)
      return skip('Where the programme begins and ends is not set for this media category.')
    if (video.testBars === undefined || video.leader === undefined)
      return skip('Bars, slates and countdowns were not looked for when the video was measured.')
    const rate = media.frameRate.average
    const head = headOf(video)
    const wantedAt = start === null ? null : (startFrame(start, rate) - startFrame(media.timecode, rate)) / rate
    const isFade =
      wantedAt !== null && wantedAt < head.first && wantedAt >= Math.max(head.black, head.first - MOST_FADE_SECONDS)
    const findings: Finding[] = []
    if (start !== null && media.timecode === null)
      return fail(
        `The file carries no timecode, so that its programme begins at none; ${start} is wanted for its first frame.`,
        {
          measured: 'none',
          expected: start,
          fix: `Export “${name}” with timecode, so that the first frame of the programme is at ${start}.`,
        },
      )
    if (start !== null && wantedAt !== null) {
      const isThere = isFade || Math.abs(wantedAt - head.first) < 0.5 / rate
      findings.push({
        says: `begins at ${timecodeAt(head.first, rate, media.timecode)}`,
        isWrong: !isThere,
        wants: `its first frame at ${start}`,
        confidence: isFade ? 0.8 : isThere ? 0.99 : 0.97,
        at: { start: head.first, end: head.first },
      })
    }
    if (min_black_before_seconds !== null) {
      const black = Math.max(0, (isFade ? (wantedAt ?? head.first) : head.first) - head.black)
      findings.push({
        says: `has ${seconds(black)} of black before it`,
        isWrong: black < min_black_before_seconds - 0.5 / rate,
        wants: `at least ${seconds(min_black_before_seconds)} of black before it`,
        confidence: 0.97,
        at: { start: head.black, end: head.first },
      })
    }
    if (min_hold_seconds !== null) {
      const hold = holdOf(video, 1.5 / rate)
      const lasts = hold.end - hold.start
      const isWrong = lasts < min_hold_seconds - 0.5 / rate
      findings.push({
        says: lasts > 0 ? `holds its last image for ${seconds(lasts)}` : 'moves until its last frame',
        isWrong,
        wants: `its last image held for at least ${seconds(min_hold_seconds)}`,
        confidence: isWrong ? Math.min(0.95, measuredConfidence(lasts, min_hold_seconds, HOLD_UNCERTAINTY)) : 0.95,
        at: hold,
      })
    }
    const says = allOf(findings.map((each) => each.says))
    const wanted = allOf(findings.map(({ wants }) => wants))
    const wrong = findings.filter(({ isWrong }) => isWrong)
    const extras = { measured: says, expected: wanted }
    if (wrong.length === 0)
      return pass(`The programme ${says}, as wanted.`, {
        ...extras,
        confidence: Math.min(...findings.map(({ confidence }) => confidence)),
      })
    return fail(`The programme ${says}; ${allOf(wrong.map(({ wants }) => wants))} is wanted.`, {
      ...extras,
      confidence: Math.max(...wrong.map(({ confidence }) => confidence)),
      occurrences: wrong.map(({ at }) => at),
      fix: `Export “${name}” again with ${allOf(wrong.map(({ wants }) => wants))}${start === null ? '' : `; today its first frame of all is at ${media.timecode}`}.`,
    })
  },
})

/** Seconds from the start: where the black before the programme begins, and its first frame; the same without black. */
function headOf({ testBars = [], leader, black }: VideoMeasures): { black: number; first: number } {
  const parts = [...testBars, ...(leader?.slates ?? []), ...(leader?.countdowns ?? [])].sort(
    (a, b) => a.start - b.start,
  )
  let end = 0
  for (const part of parts) {
    const between = black.find((each) => Math.abs(each.start - end) <= MOST_BETWEEN)
    if (part.start <= Math.max(end, between?.end ?? end) + MOST_BETWEEN) end = Math.max(end, part.end)
  }
  const [before] = black.filter((each) => each.start <= end + MOST_BETWEEN && each.end > end).reverse()
  return before && (end > 0 || before.start === 0)
    ? { black: before.start, first: before.end }
    : { black: end, first: end }
}

/** The still with which the programme ends, before black at the tail; of no length where it moves until then. */
function holdOf({ frozen, black, durationSeconds }: VideoMeasures, tolerance: number): Span {
  const tail = black.findLast((each) => each.end >= durationSeconds - tolerance)
  const end = tail?.start ?? durationSeconds
  return frozen.findLast((each) => each.end >= end - tolerance) ?? { start: end, end }
}
