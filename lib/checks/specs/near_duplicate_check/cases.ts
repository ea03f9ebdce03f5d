import type { Subject } from '../../check'
import { nearDuplicateCheck } from '../../file/near-duplicate-check'
import { image, video } from '../../testing'
import { specOf } from '../spec'

const file = (changes: Partial<Subject> = {}) => image({}, changes)
const near = (distance: number) => [{ fileId: 'f', name: 'other.png', distance }]
const videos = (shared: number, of: number, isOtherSize = false) => [
  { fileId: 'f', name: 'other.mp4', distance: 1, video: { shared, of, isOtherSize } },
]

export const spec = specOf(nearDuplicateCheck, {
  good: [
    { name: 'no file looks like it', given: file({ neighbours: [] }) },
    { name: 'seven bits differ', given: file({ neighbours: near(7) }) },
    {
      name: 'more bits differ than the threshold of the check allows',
      given: file({ neighbours: near(3) }),
      thresholds: { max_distance: 2 },
    },
    {
      name: 'a video that shares fewer key frames than half of the shorter one',
      given: video({}, { neighbours: videos(3, 8) }),
    },
    {
      name: 'the same video in another size where those are wanted',
      given: video({}, { neighbours: videos(8, 8, true) }),
      thresholds: { other_sizes: false },
    },
  ],
  bad: [
    {
      name: 'six bits differ',
      given: file({ neighbours: near(6) }),
      details: /looks like “other.png” \(6 of 64/,
    },
    {
      name: 'two files look like it: the nearest is named',
      given: file({ neighbours: [...near(5), { fileId: 'g', name: 'twin.png', distance: 0 }] }),
      details: /“twin.png”.* 1 further file/,
    },
    {
      name: 'a video that shares half of the key frames of the shorter one',
      given: video({}, { neighbours: videos(4, 8) }),
      details: /The video looks like “other.mp4” \(4 of 8 key frames are the same\)/,
    },
    {
      name: 'a video of a single key frame, in the singular',
      given: video({}, { neighbours: videos(1, 1) }),
      details: /\(1 of 1 key frame is the same\)/,
    },
    {
      name: 'the same video in another size',
      given: video({}, { neighbours: videos(8, 8, true) }),
      details: /in another size/,
    },
    {
      name: 'two videos share key frames: the one that shares most is named',
      given: video(
        {},
        {
          neighbours: [...videos(5, 8), ...videos(8, 8).map((video) => ({ ...video, name: 'twin.mp4', distance: 3 }))],
        },
      ),
      details: /“twin.mp4”/,
    },
  ],
  skipped: [
    { name: 'not compared', given: file() },
    {
      name: 'a video without a distinctive frame',
      given: video(),
      details: /^The video/,
    },
  ],
})
