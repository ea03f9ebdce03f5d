import { z } from 'zod'
import type { AudioFacts, VideoFacts } from '@/lib/media/facts'
import { type Finding, fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg, sameAudioCodec, sameVideoCodec } from '../recipe'
import { inlineLinears, notVast, vastOf } from '../vast/vast'
import { anyOf, bounds, count, decimal, seconds } from '../wording'

const bound = (title: string) =>
  z.number().positive().nullable().default(null).meta({ title, unit: 's', source: 'Reasoned: none unless set' })

/** An audio frame of AAC or MP3 at the end is padding, not programme. */
const AUDIO_FRAME_SECONDS = 0.05
/** Names and most VAST tags give whole seconds: half of one is rounding. */
const WHOLE_SECONDS_TOLERANCE = 0.5
/** Of the time base. */
const ROUNDING_SECONDS = 1e-6

const thresholds = z.strictObject({
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
})
type Thresholds = z.infer<typeof thresholds>

export const durationCheck = mediaCheck({
  id: 'duration_check',
  label: 'Duration',
  kinds: ['video', 'audio', 'other'],
  describe:
    'The length of the video or audio, and of a VAST tag the duration that each linear creative states, against the lengths of the media category; where it lists none, against the length the file name says.',
  severity: 'blocking',
  thresholds,
  notFor: (media) => (media.kind === 'other' ? notVast(media) : null),
  run({ media, name, claims, kind }, wanted) {
    if (media.kind === 'other') {
      const creatives = inlineLinears(vastOf(media)).flatMap(({ creative: { durationSeconds: length }, where }) =>
        length === null ? [] : [{ length, has: `The creative of ${where} states a duration of ${seconds(length)}` }],
      )
      const wish = wishOf(wanted, claims.durationSeconds, WHOLE_SECONDS_TOLERANCE)
      return judge(creatives, wish, {
        standard: 'VAST 4.2, 3.8.1',
        fix: ({ words }) => `Put a creative of ${words} into “${name}”, and state its length as Duration.`,
      })
    }
    // The video is what is booked; audio may outlast it by its padding, which av_sync_length_check measures.
    const length = media.kind === 'video' ? media.videoDurationSeconds : media.durationSeconds
    const frame = media.kind === 'video' && media.frameRate.average > 0 ? 1 / media.frameRate.average : null
    const wish = wishOf(wanted, claims.durationSeconds, frame ?? AUDIO_FRAME_SECONDS)
    const runs = { length, has: `The ${kind === 'video' ? 'video' : 'audio'} runs ${seconds(length)}` }
    return judge([runs], wish, { fix: ({ lengths }) => fix(name, media, length, lengths) })
  },
})

/** What length is asked for: in words, and the lengths that meet it, of which a cut takes the nearest. */
type Wish = {
  expected: string | number
  words: string
  says: string
  lengths: readonly number[]
  isMetBy: (length: number) => boolean
}

function wishOf(
  { lengths_seconds, tolerance_seconds, min_seconds, max_seconds }: Thresholds,
  claimed: number | undefined,
  usualTolerance: number,
): Wish | null {
  const [least, most] = [min_seconds ?? 0, max_seconds ?? Number.POSITIVE_INFINITY]
  const range = bounds(min_seconds, max_seconds, seconds)
  const isWithin = (length: number, tolerance: number) => (wish: number) =>
    Math.abs(length - wish) <= tolerance + ROUNDING_SECONDS
  if (lengths_seconds.length > 0) {
    const tolerance = tolerance_seconds ?? usualTolerance
    const words = anyOf(lengths_seconds.map(seconds))
    return {
      expected: words,
      words,
      says: `${words} is wanted, within ${seconds(tolerance)}`,
      lengths: lengths_seconds,
      isMetBy: (length) => lengths_seconds.some(isWithin(length, tolerance)),
    }
  }
  if (range !== null) {
    return {
      expected: range,
      words: range,
      says: `${range} is wanted`,
      lengths: [min_seconds, max_seconds].flatMap((bound) => bound ?? []),
      isMetBy: (length) => length >= least - ROUNDING_SECONDS && length <= most + ROUNDING_SECONDS,
    }
  }
  if (claimed === undefined) return null
  const words = seconds(claimed)
  return {
    expected: claimed,
    words,
    says: `the name says ${words}`,
    lengths: [claimed],
    isMetBy: (length) => isWithin(length, WHOLE_SECONDS_TOLERANCE)(claimed),
  }
}

type Stated = { length: number; has: string }

/** The first that is not as long as it should be; of what a VAST tag states it is not known whether its files run as long. */
function judge(
  stated: readonly Stated[],
  wish: Wish | null,
  { standard, fix }: { standard?: string; fix: (wish: Wish) => string },
): Finding {
  const [first] = stated
  if (!first) return skip('The tag has no linear creative of its own that states a duration.')
  if (!wish) return skip(`${first.has}; neither its media category nor a naming convention asks for a length.`)
  const wrong = stated.find(({ length }) => !wish.isMetBy(length))
  const shown = wrong ?? first
  const extras = { measured: Number(shown.length.toFixed(3)), expected: wish.expected, unit: 's', standard }
  if (wrong) return fail(`${wrong.has}; ${wish.says}.`, { ...extras, fix: fix(wish) })
  const others = stated.length > 1 ? `, ${count(stated.length - 1, 'other creative')} as well` : ''
  return pass(`${first.has}${others}; ${wish.says}.`, extras)
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
