import { z } from 'zod'
import { fail, mediaCheck, pass, skip, warn } from '../check'
import { clock, decimal, seconds } from '../wording'
import { captionsOf, notCaptions } from './captions'

/** A name gives whole seconds. */
const NAME_TOLERANCE_SECONDS = 0.5
/** Captions that end before this share of the video may be those of a part of it. */
const LEAST_SHARE = 0.5

export const captionCoverageCheck = mediaCheck({
  id: 'caption_coverage_check',
  label: 'Caption coverage',
  kinds: ['other'],
  describe:
    'The captions fit the length of the video that the media category or the file name states: none stands beyond its end, which times that count from an hour of tape or of a longer version do, and they do not stop long before it. And no stretch between two captions is longer than is allowed, where that is set. Times of EBU STL count from the start of the programme it states.',
  severity: 'advisory',
  confidence: 'Beyond the end: 1. Stopping early: 0.6, as there may be no speech in the rest.',
  thresholds: z.strictObject({
    video_seconds: z.number().positive().nullable().default(null).meta({
      title: 'Length of the video',
      unit: 's',
      source: 'Reasoned: the length in the file name where this is not set',
    }),
    max_gap_seconds: z.number().positive().nullable().default(null).meta({
      title: 'Longest stretch without captions',
      unit: 's',
      source: 'Reasoned: none unless set, as music and images may stand alone',
    }),
  }),
  notFor: notCaptions,
  run({ media, name, claims }, { video_seconds, max_gap_seconds }) {
    const captions = captionsOf(media)
    const { start, end } = captions
    if (start === null || end === null) return skip('The file holds no caption.')
    const length = video_seconds ?? claims.durationSeconds ?? null
    if (length === null && max_gap_seconds === null)
      return skip(
        `The captions run from ${clock(start)} to ${clock(end)}; neither the media category nor the name says how long the video is.`,
      )
    const runs = `The captions run from ${clock(start)} to ${clock(end)}`
    if (length !== null) {
      const extras = { measured: end, expected: `within ${seconds(length)}`, unit: 's' }
      if (end > length + NAME_TOLERANCE_SECONDS) {
        const hour = Math.floor(start / 3600) * 3600
        const isShifted = hour > 0 && end - hour <= length + NAME_TOLERANCE_SECONDS
        return fail(
          `${runs}, and the video is ${seconds(length)} long${isShifted ? `: their times count from ${clock(hour)}` : ''}.`,
          {
            ...extras,
            fix: isShifted
              ? `Shift all captions of “${name}” by -${clock(hour)}, so that they count from the first frame of the video.`
              : `Export the captions of “${name}” for the version of ${seconds(length)}.`,
            occurrences: [{ start: Math.max(start, length), end }],
          },
        )
      }
      if (start < 0) {
        return fail(`${runs}: the first stands before the start of the programme.`, {
          ...extras,
          fix: `State the start of the programme in “${name}”, or shift its captions.`,
        })
      }
      if (end < length * LEAST_SHARE) {
        return warn(
          `${runs}, and the video is ${seconds(length)} long: ${decimal((1 - end / length) * 100, 0)} % of it come without.`,
          {
            ...extras,
            confidence: 0.6,
            fix: `Listen whether there is speech behind ${clock(end)}; if so, export all captions of “${name}”.`,
            occurrences: [{ start: end, end: length }],
          },
        )
      }
    }
    const [gap] = captions.largestGaps
    if (max_gap_seconds !== null && gap && gap.value > max_gap_seconds) {
      return fail(
        `No caption stands for ${seconds(gap.value)} from ${clock(gap.start)}; at most ${seconds(max_gap_seconds)} is wanted.`,
        {
          measured: gap.value,
          expected: `at most ${max_gap_seconds}`,
          unit: 's',
          fix: `Look whether captions are missing from ${clock(gap.start)} to ${clock(gap.end)} of “${name}”.`,
          occurrences: captions.largestGaps
            .filter(({ value }) => value > max_gap_seconds)
            .slice(0, 20)
            .map(({ start, end }) => ({ start, end })),
        },
      )
    }
    return pass(`${runs}${length === null ? '' : `, within the ${seconds(length)} of the video`}.`, {
      measured: end,
      unit: 's',
    })
  },
})
