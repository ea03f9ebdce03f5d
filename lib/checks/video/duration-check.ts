import { z } from 'zod'
import type { AudioFacts, OtherFacts, VideoFacts } from '@/lib/media/facts'
import { type Finding, fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { ffmpeg, sameAudioCodec, sameVideoCodec } from '../recipe'
import { inlineLinears, notVast, vastOf } from '../vast/vast'
import { anyOf, bounds, count, decimal, seconds } from '../wording'

const bound = (title: string) =>
  z.number().positive().nullable().default(null).meta({ title, unit: 's', source: 'Reasoned: none unless set' })

/** An audio frame of AAC or MP3 at the end is padding, not programme. */
const AUDIO_FRAME_SECONDS = 0.05
/** Names and most VAST tags give whole seconds: half of one is rounding. */
const WHOLE_SECONDS_TOLERANCE = 0.5

export const durationCheck = mediaCheck({
  id: 'duration_check',
  label: 'Duration',
  kinds: ['video', 'audio', 'other'],
  describe:
    'The length of the video or audio, and of a VAST tag the duration that each linear creative states, against the lengths of the media category; where it lists none, against the length the file name says.',
  severity: 'blocking',
  thresholds: z.strictObject({
    lengths_seconds: z.array(z.number().positive()).default([]).meta({
      title: 'Allowed lengths',
      unit: 's',
      source: 'Reasoned: the length in the file name where none is listed; spots run 6, 15, 20, 30 or 60 s',
    }),
    tolerance_seconds: z.number().min(0).nullable().default(null).meta({
      title: 'Tolerance of a listed length',
      unit: 's',
      source:
        'Reasoned: one frame of the video where not set, 0.05 s for audio (a frame of AAC or MP3 is padding), 0.5 s for a VAST tag (whole seconds)',
    }),
    min_seconds: bound('Least length'),
    max_seconds: bound('Greatest length'),
  }),
  notFor: (media) => (media.kind === 'other' ? notVast(media) : null),
  run({ media, name, claims, kind }, thresholds) {
    const { lengths_seconds, tolerance_seconds, min_seconds, max_seconds } = thresholds
    if (media.kind === 'other') return ofCreatives(media, name, claims.durationSeconds, thresholds)
    // The video is what is booked; audio may outlast it by its padding, which av_sync_length_check measures.
    const length = media.kind === 'video' ? media.videoDurationSeconds : media.durationSeconds
    const has = `The ${kind === 'video' ? 'video' : 'audio'} runs ${seconds(length)}`
    const measured = Number(length.toFixed(3))
    const range = bounds(min_seconds, max_seconds, seconds)

    if (lengths_seconds.length > 0) {
      const frame = media.kind === 'video' && media.frameRate.average > 0 ? 1 / media.frameRate.average : null
      const tolerance = tolerance_seconds ?? frame ?? AUDIO_FRAME_SECONDS
      const wanted = anyOf(lengths_seconds.map(seconds))
      const extras = { measured, expected: wanted, unit: 's' }
      const details = `${has}; ${wanted} is wanted, within ${seconds(tolerance)}.`
      // A microsecond is rounding of the time base.
      if (lengths_seconds.some((wish) => Math.abs(length - wish) <= tolerance + 1e-6)) return pass(details, extras)
      return fail(details, { ...extras, fix: fix(name, media, length, lengths_seconds) })
    }
    if (range !== null) {
      const extras = { measured, expected: range, unit: 's' }
      const details = `${has}; ${range} is wanted.`
      const short = min_seconds !== null && length < min_seconds - 1e-6
      const long = max_seconds !== null && length > max_seconds + 1e-6
      if (!short && !long) return pass(details, extras)
      return fail(details, {
        ...extras,
        fix: fix(name, media, length, [long ? (max_seconds ?? 0) : (min_seconds ?? 0)]),
      })
    }
    if (claims.durationSeconds !== undefined) {
      const extras = { measured, expected: claims.durationSeconds, unit: 's' }
      const details = `${has}; the name says ${seconds(claims.durationSeconds)}.`
      return isAtMost(Math.abs(length - claims.durationSeconds), WHOLE_SECONDS_TOLERANCE)
        ? pass(details, extras)
        : fail(details, { ...extras, fix: fix(name, media, length, [claims.durationSeconds]) })
    }
    return skip(`${has}; neither its media category nor a naming convention asks for a length.`)
  },
})

type Lengths = {
  lengths_seconds: readonly number[]
  tolerance_seconds: number | null
  min_seconds: number | null
  max_seconds: number | null
}

/** What a VAST tag states; whether its media files run as long is not known, as they are not fetched. */
function ofCreatives(media: OtherFacts, name: string, claimed: number | undefined, thresholds: Lengths): Finding {
  const creatives = inlineLinears(vastOf(media)).flatMap(({ creative, where }) =>
    creative.durationSeconds === null ? [] : [{ length: creative.durationSeconds, where }],
  )
  const [first] = creatives
  if (!first) return skip('The tag has no linear creative of its own that states a duration.')
  const range = bounds(thresholds.min_seconds, thresholds.max_seconds, seconds)
  const lengths =
    thresholds.lengths_seconds.length > 0 || range || claimed === undefined ? thresholds.lengths_seconds : [claimed]
  if (lengths.length === 0 && range === null)
    return skip(`The creative of ${first.where} states ${seconds(first.length)}; no length is asked for.`)
  const tolerance = thresholds.tolerance_seconds ?? WHOLE_SECONDS_TOLERANCE
  const expected = lengths.length > 0 ? anyOf(lengths.map(seconds)) : (range ?? '')
  const isWanted = (length: number) =>
    lengths.length > 0
      ? lengths.some((wish) => isAtMost(Math.abs(length - wish), tolerance))
      : length >= (thresholds.min_seconds ?? 0) && length <= (thresholds.max_seconds ?? Number.POSITIVE_INFINITY)
  const extras = { expected, unit: 's', standard: 'VAST 4.2, 3.8.1' }
  const wrong = creatives.find(({ length }) => !isWanted(length))
  if (!wrong) {
    return pass(
      `${count(creatives.length, 'linear creative')} of ${anyOf([...new Set(creatives.map(({ length }) => seconds(length)))])}; ${expected} is wanted.`,
      {
        ...extras,
        measured: first.length,
      },
    )
  }
  return fail(`The creative of ${wrong.where} states a duration of ${seconds(wrong.length)}; ${expected} is wanted.`, {
    ...extras,
    measured: wrong.length,
    fix: `Put a creative of ${expected} into “${name}”, and state its length as Duration.`,
  })
}

/** Cutting is a command; making longer is work for the edit. */
function fix(name: string, media: VideoFacts | AudioFacts, length: number, wanted: readonly number[]): string {
  const nearest = [...wanted].sort((a, b) => Math.abs(length - a) - Math.abs(length - b))[0] ?? length
  if (length < nearest) {
    return `Export “${name}” from the edit at ${seconds(nearest)}: ${seconds(nearest - length)} are missing.`
  }
  const video = media.kind === 'video' ? sameVideoCodec(media.codec) : ''
  const codecs = `${video}${sameAudioCodec(media.audio[0]?.codec)}`
  return `If the surplus ${seconds(length - nearest)} lie at the end: ${ffmpeg(name, `-t ${decimal(nearest, 3)}${codecs}`)}`
}
