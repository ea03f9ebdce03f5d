import { audioStream, video } from '../../testing'
import { audioPresenceCheck } from '../../video/audio-presence-check'
import { specOf } from '../spec'

const silent = video({ audio: [] })
const twice = video({ audio: [audioStream(), audioStream()] })

export const spec = specOf(audioPresenceCheck, {
  good: [
    { name: 'has audio where it is required', given: video(), thresholds: { rule: 'required' } },
    { name: 'is silent where no audio may be', given: silent, thresholds: { rule: 'forbidden' } },
    { name: 'has as many tracks as wanted', given: twice, thresholds: { rule: 'required', streams: 2 } },
    {
      name: 'is silent where only the number of tracks is set',
      given: silent,
      thresholds: { streams: 1 },
    },
  ],
  bad: [
    { name: 'is silent where audio is required', given: silent, thresholds: { rule: 'required' } },
    {
      name: 'has audio where none may be',
      given: video(),
      thresholds: { rule: 'forbidden' },
      fix: 'ffmpeg -i "spot.mp4" -c copy -an "fixed-spot.mp4"',
    },
    {
      name: 'has another number of tracks',
      given: twice,
      thresholds: { rule: 'required', streams: 1 },
      details: /2 audio tracks; 1 track is wanted/,
    },
  ],
  skipped: [{ name: 'no rule is set', given: silent }],
})
