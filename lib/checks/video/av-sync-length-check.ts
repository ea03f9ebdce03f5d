import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg, sameAudioCodec } from '../recipe'
import { decimal, seconds } from '../wording'

export const avSyncLengthCheck = mediaCheck({
  id: 'av_sync_length_check',
  label: 'Video and audio end together',
  kinds: ['video'],
  describe: 'The audio tracks are as long as the video.',
  severity: 'advisory',
  thresholds: z.strictObject({
    max_difference_seconds: z.number().min(0).default(0.1).meta({
      title: 'Largest difference',
      unit: 's',
      source: 'Reasoned: two frames at 25 per second and the padding of one AAC frame (1,024 samples)',
    }),
  }),
  run({ media, name }, { max_difference_seconds }) {
    if (media.audio.length === 0) return skip('The video has no audio track.')
    const videoSeconds = media.videoDurationSeconds
    const differences = media.audio.map((stream, index) => ({ index, by: stream.durationSeconds - videoSeconds }))
    const worst = differences.sort((a, b) => Math.abs(b.by) - Math.abs(a.by))[0] ?? { index: 0, by: 0 }
    const track = media.audio.length > 1 ? `Audio track ${worst.index + 1}` : 'The audio'
    const codec = media.audio[worst.index]?.codec
    const extras = {
      measured: Number(worst.by.toFixed(3)),
      expected: max_difference_seconds,
      unit: 's',
    }
    const details = `${track} is ${seconds(Math.abs(worst.by))} ${worst.by < 0 ? 'shorter' : 'longer'} than the video (${seconds(videoSeconds)}); at most ${seconds(max_difference_seconds)} is wanted.`
    if (Math.abs(worst.by) <= max_difference_seconds + 1e-6) return pass(details, extras)
    return fail(details, {
      ...extras,
      occurrences: [
        {
          start: Math.min(videoSeconds, videoSeconds + worst.by),
          end: Math.max(videoSeconds, videoSeconds + worst.by),
          stream: worst.index,
        },
      ],
      fix:
        worst.by > 0
          ? `If the end may be cut: ${ffmpeg(name, `-t ${decimal(videoSeconds, 3)} -c:v copy${sameAudioCodec(codec)}`)}`
          : `If silence may follow: ${ffmpeg(name, `-af apad -t ${decimal(videoSeconds, 3)} -c:v copy${sameAudioCodec(codec)}`)}`,
    })
  },
})
