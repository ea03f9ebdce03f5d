import { videoFrames } from '../../testing'
import { letterboxCheck } from '../../video/letterbox-check'
import { specOf } from '../spec'

const bars = (top: number, bottom: number) => videoFrames({ bars: { top, bottom, left: 0, right: 0 } })
const none = { top: 0, bottom: 0, left: 0, right: 0 }
const lying = videoFrames({ bars: { ...none, left: 100 } }, { rotation: 90, displayWidth: 1080, displayHeight: 1920 })

const anamorphic = videoFrames(
  { bars: { ...none, top: 72, bottom: 72, left: 40 } },
  { width: 720, height: 576, displayWidth: 1024, displayHeight: 576 },
)

export const spec = specOf(letterboxCheck, {
  good: [{ name: 'eight rows, as coding leaves them', given: bars(8, 8) }],
  bad: [
    {
      name: 'bars above and below, with the crop that removes them',
      given: bars(140, 140),
      fix: /crop=1920:800:0:140/,
    },
    {
      name: 'a video that lies on its side: the bars are named and marked as they are seen',
      given: lying,
      details: /^Black bars stay at the edges: 100 px top; the active image is 1080 × 1820 px of 1080 × 1920 px/,
      fix: /crop=1080:1820:0:100/,
      occurrences: [{ region: { x: 0, y: 0, width: 1080, height: 100 } }],
    },
    {
      name: 'pixels that are not square: the bars are marked as a player shows them',
      given: anamorphic,
      occurrences: [
        { region: { x: 0, y: 0, width: 1024, height: 72 } },
        { region: { x: 0, y: 504, width: 1024, height: 72 } },
        { region: { x: 0, y: 0, width: 57, height: 576 } },
      ],
    },
  ],
  skipped: [{ name: 'a black video, of which nothing can be said', given: videoFrames({ bars: null }) }],
})
