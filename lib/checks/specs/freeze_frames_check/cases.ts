import { videoFrames } from '../../testing'
import { freezeFramesCheck } from '../../video/freeze-frames-check'
import { specOf } from '../spec'

export const spec = specOf(freezeFramesCheck, {
  good: [
    { name: 'stands for two seconds', given: videoFrames({ frozen: [{ start: 2, end: 4 }] }), confidence: 0.5 },
    { name: 'stands for one second', given: videoFrames({ frozen: [{ start: 2, end: 3 }] }), confidence: 0.95 },
    { name: 'never stands', given: videoFrames(), confidence: 0.95 },
  ],
  bad: [
    {
      name: 'stands for longer',
      given: videoFrames({ frozen: [{ start: 2, end: 4.2 }] }),
      details: /2.2 s/,
      confidence: 0.99,
    },
    {
      name: 'stands to the end, as an end card does',
      given: videoFrames({ frozen: [{ start: 2, end: 15 }], durationSeconds: 15 }),
      confidence: 0.7,
    },
    {
      name: 'stands from its first frame to its last',
      given: videoFrames({ frozen: [{ start: 0, end: 15 }], durationSeconds: 15 }),
      confidence: 0.99,
    },
  ],
})
