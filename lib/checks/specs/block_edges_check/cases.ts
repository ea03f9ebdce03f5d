import { videoFrames } from '../../testing'
import { blockEdgesCheck } from '../../video/block-edges-check'
import { specOf } from '../spec'

const seen = (...percent: number[]) => videoFrames({ blocks: percent.map((each, at) => ({ at, percent: each })) })

export const spec = specOf(blockEdgesCheck, {
  good: [
    {
      name: 'no edge is seen',
      given: seen(),
      details: /^At most 0 % of the edges between blocks are seen; at most 8 % are wanted\.$/,
      confidence: 0.99,
    },
    { name: 'as many as are allowed', given: seen(3, 8, 2), confidence: 0.5 },
    { name: 'many, where they are taken', given: seen(40), thresholds: { max_percent: 50 } },
  ],
  bad: [
    {
      name: 'two frames of three',
      given: seen(30, 2, 41),
      details:
        /are seen in 2 frames of those looked at, two a second: 41 % of all edges at 00:00:02\.000, at most 8 % /,
      fix: /at 00:00:02\.000\. Where blocks are seen/,
      confidence: 0.99,
      occurrences: [
        { start: 0, end: 0 },
        { start: 2, end: 2 },
      ],
    },
    { name: 'a few more than allowed', given: seen(11), confidence: 0.98 },
  ],
  skipped: [{ name: 'measured before they were looked for', given: videoFrames() }],
})
