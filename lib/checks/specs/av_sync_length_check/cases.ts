import { audioStream, video } from '../../testing'
import { avSyncLengthCheck } from '../../video/av-sync-length-check'
import { specOf } from '../spec'

const audio = (durationSeconds: number) => video({ audio: [audioStream({ durationSeconds })] })

export const spec = specOf(avSyncLengthCheck, {
  good: [
    { name: 'audio a tenth of a second longer', given: audio(15.1) },
    { name: 'audio a tenth of a second shorter', given: audio(14.9) },
  ],
  bad: [
    {
      name: 'audio longer than that',
      given: audio(15.11),
      details: /0.11 s longer than the video \(15 s\)/,
      fix: /-t 15 -c:v copy -c:a aac/,
    },
    {
      name: 'audio shorter than that',
      given: audio(14.8),
      details: /0.2 s shorter/,
      fix: /apad/,
    },
    {
      name: 'a second track that is shorter',
      given: video({ audio: [audioStream(), audioStream({ durationSeconds: 10 })] }),
      details: /Audio track 2 is 5 s shorter/,
    },
  ],
  skipped: [{ name: 'no audio', given: video({ audio: [] }) }],
})
