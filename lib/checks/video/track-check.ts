import { z } from 'zod'
import type { TrackStatement } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg } from '../recipe'
import { allOf, anyOf, count } from '../wording'

const TIMECODE = 'tmcd'

export const trackCheck = mediaCheck({
  id: 'track_check',
  label: 'Tracks of the container',
  kinds: ['video'],
  describe:
    'What the file carries besides video and audio: tracks of data, as cameras and editors leave them (positions, motion, chapters), cover images, tracks that hold nothing, and a second video. A track of timecode is no such data, captions and subtitles are in closed_caption_check, and the number of audio tracks in audio_presence_check.',
  severity: 'advisory',
  thresholds: z.strictObject({
    data: z.enum(['any', 'forbidden']).default('any').meta({
      title: 'Tracks of data and cover images are',
      source: 'Reasoned: either unless set; playout and ad servers take one video and its audio',
    }),
    allowed: z.array(z.string().min(1).max(40)).max(20).default([]).meta({
      title: 'Data that is taken all the same',
      source: 'Reasoned: none unless set, by the four letters of the container, such as rtmd',
    }),
    max_videos: z.number().int().min(1).nullable().default(1).meta({
      title: 'Most tracks of video',
      unit: 'tracks',
      source: 'Reasoned: one; players show the first and say nothing of others',
    }),
  }),
  run({ media, name }, { data, allowed, max_videos }) {
    const { tracks } = media
    if (!tracks) return skip('The tracks of the file were not listed when it was measured.')
    const videos = tracks.filter(({ kind }) => kind === 'video')
    const besides = tracks.filter(
      ({ kind, codec }) => (kind === 'data' && codec !== TIMECODE && !allowed.includes(codec)) || kind === 'cover',
    )
    const empty = tracks.filter(({ packets, kind }) => packets === 0 && kind !== 'cover')
    const faults = [
      ...(max_videos !== null && videos.length > max_videos
        ? [`${count(videos.length, 'track')} of video, where ${max_videos} ${max_videos === 1 ? 'is' : 'are'} wanted`]
        : []),
      ...(data === 'forbidden' ? besides.map(wordOf) : []),
      ...(data === 'forbidden'
        ? empty.filter((track) => !besides.includes(track)).map((track) => `${wordOf(track)} that holds nothing`)
        : []),
    ]
    const has = `The file has ${count(tracks.length, 'track')}`
    const extras = { measured: besides.length, expected: data === 'forbidden' ? 0 : 'any', unit: 'tracks of data' }
    if (faults.length === 0)
      return pass(
        besides.length > 0
          ? `${has}, among them ${allOf(besides.map(wordOf))}.`
          : `${has}: ${allOf(tracks.map(wordOf))}.`,
        extras,
      )
    const shown = faults.slice(0, 8)
    return fail(`${has}, among them ${allOf(shown)}${faults.length > shown.length ? ' …' : ''}.`, {
      ...extras,
      expected: data === 'forbidden' ? anyOf(['no data', ...allowed]) : extras.expected,
      fix: ffmpeg(name, '-map 0:v:0 -map 0:a? -c copy -dn -map_chapters -1'),
    })
  },
})

function wordOf({ kind, codec }: TrackStatement): string {
  if (kind === 'cover') return `a cover image (${codec})`
  if (kind === 'data') return codec === TIMECODE ? 'timecode' : `data (${codec})`
  return `${kind === 'subtitle' ? 'captions' : kind} (${codec})`
}
