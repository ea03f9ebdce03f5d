import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { ffmpeg, sameAudioCodec, sameVideoCodec } from '../recipe'
import { count, decimal, seconds } from '../wording'

const EDGE_SECONDS = 0.001

export const blackFramesCheck = mediaCheck({
  id: 'black_frames_check',
  label: 'Black frames',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'No stretch of black at the head, at the tail or inside. A frame is black when 98 % of its points lie within 10 % of the black level (the defaults of FFmpeg’s blackdetect). Black is one finding: the same stretch is neither a freeze nor a silence.',
  severity: 'advisory',
  confidence: '0.95: counted in every frame; a night scene may be darker than the black it is taken for.',
  thresholds: z.strictObject({
    max_inside_seconds: z.number().min(0).default(0.5).meta({
      title: 'Longest black inside',
      unit: 's',
      source: 'Reasoned: a cut through black lasts up to 12 frames at 25 per second; more looks like a lost signal',
    }),
    max_edge_seconds: z.number().min(0).default(0.5).meta({
      title: 'Longest black at the head or tail',
      unit: 's',
      source: 'Reasoned: web and streaming spots start and end on an image; half a second is a fade',
    }),
  }),
  run({ name, media, measures: { video } }, { max_inside_seconds, max_edge_seconds }) {
    const end = video.durationSeconds
    const isEdge = (span: { start: number; end: number }) =>
      span.start <= EDGE_SECONDS || span.end >= end - EDGE_SECONDS
    const faults = video.black.filter(
      (span) => span.end - span.start > (isEdge(span) ? max_edge_seconds : max_inside_seconds) + EDGE_SECONDS,
    )
    const longest = video.black.reduce((most, span) => Math.max(most, span.end - span.start), 0)
    const extras = { measured: Number(longest.toFixed(3)), unit: 's', confidence: 0.95 }
    const first = faults[0]
    if (!first) {
      const expected = max_inside_seconds
      return pass(
        longest > 0
          ? `The longest black lasts ${seconds(longest)}, within what is allowed (${seconds(max_inside_seconds)} inside, ${seconds(max_edge_seconds)} at the ends).`
          : 'No frame is black.',
        { ...extras, expected },
      )
    }
    const limit = isEdge(first) ? max_edge_seconds : max_inside_seconds
    const where = first.start <= EDGE_SECONDS ? 'at the head' : isEdge(first) ? 'at the tail' : 'inside'
    const more = faults.length > 1 ? `, and ${count(faults.length - 1, 'further stretch', 'further stretches')}` : ''
    const cut =
      where === 'at the head'
        ? `-ss ${decimal(first.end, 3)}`
        : where === 'at the tail'
          ? `-t ${decimal(first.start, 3)}`
          : null
    return fail(
      `The video is black ${where} from ${seconds(first.start)} to ${seconds(first.end)} (${seconds(first.end - first.start)})${more}; at most ${seconds(limit)} is wanted.`,
      {
        ...extras,
        expected: limit,
        occurrences: faults,
        fix: cut
          ? ffmpeg(name, `${cut}${sameVideoCodec(media.codec)}${sameAudioCodec(media.audio[0]?.codec)}`)
          : `Inspect “${name}” from ${seconds(first.start)} in the edit: put the missing video there, or close the gap.`,
      },
    )
  },
})
