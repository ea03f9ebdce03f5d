import type { TrackStatement } from '@/lib/media/facts'
import { video } from '../../testing'
import { trackCheck } from '../../video/track-check'
import { specOf } from '../spec'

const VIDEO: TrackStatement = { kind: 'video', codec: 'h264', packets: 375 }
const AUDIO: TrackStatement = { kind: 'audio', codec: 'aac', packets: 704 }
const data = (codec: string, packets = 10): TrackStatement => ({ kind: 'data', codec, packets })
const tracks = (...besides: TrackStatement[]) => video({ tracks: [VIDEO, AUDIO, ...besides] })
const forbidden = { data: 'forbidden' }

export const spec = specOf(trackCheck, {
  good: [
    { name: 'video and audio', given: tracks(), details: /2 tracks: video \(h264\) and audio \(aac\)\.$/ },
    { name: 'data where any is taken', given: tracks(data('gpmd')), details: /among them data \(gpmd\)\.$/ },
    { name: 'a timecode', given: tracks(data('tmcd', 1)), thresholds: forbidden },
    { name: 'data that is taken', given: tracks(data('rtmd')), thresholds: { ...forbidden, allowed: ['rtmd'] } },
    { name: 'several videos', given: tracks(VIDEO), thresholds: { max_videos: 2 } },
  ],
  bad: [
    {
      name: 'data of a camera',
      given: tracks(data('gpmd')),
      thresholds: forbidden,
      details: /3 tracks, among them data \(gpmd\)\.$/,
      fix: /-map 0:v:0 -map 0:a\? -c copy -dn/,
    },
    {
      name: 'a cover image',
      given: tracks({ kind: 'cover', codec: 'mjpeg', packets: 1 }),
      thresholds: forbidden,
      details: /a cover image \(mjpeg\)/,
    },
    {
      name: 'captions that hold nothing',
      given: tracks({ kind: 'subtitle', codec: 'mov_text', packets: 0 }),
      thresholds: forbidden,
      details: /captions \(mov_text\) that holds nothing/,
    },
    { name: 'a second video', given: tracks(VIDEO), details: /2 tracks of video, where 1 is wanted/ },
  ],
  skipped: [{ name: 'measured before tracks were listed', given: video({ tracks: undefined }) }],
})
