import { video } from '../../testing'
import { fastStartCheck } from '../../video/fast-start-check'
import { specOf } from '../spec'

export const spec = specOf(fastStartCheck, {
  good: [
    { name: 'the index in front', given: video() },
    { name: 'fragments, each with its index', given: video({ fastStart: false, fragmented: true }) },
  ],
  bad: [
    {
      name: 'the index behind',
      given: video({ fastStart: false }),
      fix: 'ffmpeg -i "spot.mp4" -c copy -movflags +faststart "fixed-spot.mp4"',
    },
    {
      name: 'a WebM with its index behind',
      given: video({ container: 'webm', fastStart: false }),
      fix: /cues_to_front/,
    },
    {
      name: 'a hostile name, which the fix quotes as one word',
      given: { ...video({ fastStart: false }), name: `-a'$(rm -rf x)".mp4` },
      fix: `ffmpeg -i './-a'\\''$(rm -rf x)".mp4' -c copy -movflags +faststart 'fixed--a'\\''$(rm -rf x)".mp4'`,
    },
  ],
  skipped: [{ name: 'an MXF file', given: video({ container: 'mxf', fastStart: false }), details: /exchanged whole/ }],
})
