import { videoFrames } from '../../testing'
import { blackFramesCheck } from '../../video/black-frames-check'
import { specOf } from '../spec'

export const spec = specOf(blackFramesCheck, {
  good: [{ name: 'black for half a second', given: videoFrames({ black: [{ start: 4, end: 4.5 }] }) }],
  bad: [
    {
      name: 'black for longer, inside',
      given: videoFrames({ black: [{ start: 4, end: 4.6 }] }),
      details: /inside from 4 s to 4.6 s/,
    },
    {
      name: 'black at the head, which is cut off',
      given: videoFrames({ black: [{ start: 0, end: 1 }] }),
      fix: /-ss 1 /,
    },
    {
      name: 'black at the tail, which is cut off',
      given: videoFrames({ black: [{ start: 14, end: 15 }] }),
      fix: /-t 14 /,
    },
  ],
})
