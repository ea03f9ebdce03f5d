import { z } from 'zod'
import type { AudioFacts, VideoFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { ffmpeg, sameAudioCodec, sameVideoCodec } from '../recipe'
import { anyOf, bounds, decimal, seconds } from '../wording'

const bound = (title: string) =>
  z.number().positive().nullable().default(null).meta({ title, unit: 's', source: 'Reasoned: none unless set' })

/** An audio frame of AAC or MP3 at the end is padding, not programme. */
const AUDIO_FRAME_SECONDS = 0.05
/** The name gives whole seconds: half of one is rounding. */
const NAME_TOLERANCE_SECONDS = 0.5

export const durationCheck = mediaCheck({
  id: 'duration_check',
  label: 'Duration',
  kinds: ['video', 'audio'],
  describe:
    'The length of the video or audio, against the lengths of the media category; where it lists none, against the length the file name says.',
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
      source: 'Reasoned: one frame of the video where not set, 0.05 s for audio (a frame of AAC or MP3 is padding)',
    }),
    min_seconds: bound('Least length'),
    max_seconds: bound('Greatest length'),
  }),
  run({ media, name, claims, kind }, { lengths_seconds, tolerance_seconds, min_seconds, max_seconds }) {
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
      return isAtMost(Math.abs(length - claims.durationSeconds), NAME_TOLERANCE_SECONDS)
        ? pass(details, extras)
        : fail(details, { ...extras, fix: fix(name, media, length, [claims.durationSeconds]) })
    }
    return skip(`${has}; neither its media category nor a naming convention asks for a length.`)
  },
})

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
