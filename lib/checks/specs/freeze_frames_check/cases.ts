import { videoFrames } from '../../testing'
import { freezeFramesCheck } from '../../video/freeze-frames-check'
import { specOf } from '../spec'

export const spec = specOf(freezeFramesCheck, {
  good: [{ name: 'stands for two seconds', given: videoFrames({ frozen: [{ start: 2, end: 4 }] }) }],
  bad: [{ name: 'stands for longer', given: videoFrames({ frozen: [{ start: 2, end: 4.2 }] }), details: /2.2 s/ }],
})
