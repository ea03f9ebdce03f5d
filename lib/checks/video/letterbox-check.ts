import { z } from 'zod'
import type { VideoFacts } from '@/lib/media/facts'
import type { Box, VideoMeasures } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { isAtMost } from '../limits'
import { ffmpeg, sameVideoCodec } from '../recipe'
import { allOf, decimal, pixelSize } from '../wording'

const even = (pixels: number) => pixels - (pixels % 2)

export const letterboxCheck = mediaCheck({
  id: 'letterbox_check',
  label: 'Black bars',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'The video fills its frame: no rows or columns at the edges stay black from the first frame to the last (measured twice a second).',
  severity: 'advisory',
  confidence:
    'How likely the widest bar is on the same side of the limit, with a standard deviation of half a pixel, as coding may draw over its edge: 0.5 at the limit, 0.98 a pixel from it. A fail at most 0.7 where the bars of opposite sides are not alike: a dark edge of the scene may look like one bar.',
  thresholds: z.strictObject({
    max_percent: z.number().min(0).max(50).default(1).meta({
      title: 'Widest bar',
      unit: '% of the side',
      source: 'Reasoned: up to 8 rows of 1080 are left by coding and scaling; streaming services take no bars in ads',
    }),
  }),
  run({ name, media, measures: { video } }, { max_percent }) {
    if (!video.bars) return skip('The video is black throughout, so it shows no bars.')
    const { bars, width, height } = turned(video.bars, media)
    const share = {
      top: bars.top / height,
      bottom: bars.bottom / height,
      left: bars.left / width,
      right: bars.right / width,
    }
    const worst = Math.max(...Object.values(share)) * 100
    const side = worst === 100 * Math.max(share.top, share.bottom) ? height : width
    const confidence = measuredConfidence(worst, max_percent, (0.5 / side) * 100)
    const extras = { measured: Number(worst.toFixed(2)), expected: max_percent, unit: '% of the side', confidence }
    if (isAtMost(worst, max_percent)) return pass('The video fills its frame.', extras)
    const sides = (['top', 'bottom', 'left', 'right'] as const).filter(
      (side) => !isAtMost(share[side] * 100, max_percent),
    )
    const isPair = Math.abs(bars.top - bars.bottom) <= 4 && Math.abs(bars.left - bars.right) <= 4
    const inner = { width: width - bars.left - bars.right, height: height - bars.top - bars.bottom }
    const regions = {
      top: { x: 0, y: 0, width, height: bars.top },
      bottom: { x: 0, y: height - bars.bottom, width, height: bars.bottom },
      left: { x: 0, y: 0, width: bars.left, height },
      right: { x: width - bars.right, y: 0, width: bars.right, height },
    }
    return fail(
      `Black bars stay at the edges: ${allOf(sides.map((side) => `${bars[side]} px ${side}`))}; the active image is ${pixelSize(inner.width, inner.height)} of ${pixelSize(width, height)}. At most ${decimal(max_percent)} % of a side is wanted.`,
      {
        ...extras,
        ...(!isPair && { confidence: Math.min(0.7, confidence) }),
        occurrences: sides.map((side) => ({ region: asSeen(regions[side], media, { width, height }) })),
        fix: ffmpeg(
          name,
          `-vf crop=${even(inner.width)}:${even(inner.height)}:${even(bars.left)}:${even(bars.top)}${sameVideoCodec(media.codec)} -c:a copy`,
        ),
      },
    )
  },
})

type Bars = NonNullable<VideoMeasures['bars']>

/** The sides as people see them, in pixels as coded: what a player, and ffmpeg before its filters, turns first. */
function turned(coded: Bars, { rotation, width, height }: VideoFacts): { bars: Bars; width: number; height: number } {
  const { top, right, bottom, left } = coded
  const clockwise = [top, right, bottom, left]
  // A quarter turn clockwise brings the left side to the top.
  const side = (index: number) => clockwise[(index + 4 - rotation / 90) % 4] ?? 0
  const bars = { top: side(0), right: side(1), bottom: side(2), left: side(3) }
  return rotation % 180 === 0 ? { bars, width, height } : { bars, width: height, height: width }
}

/** Pixels of another shape than square are as wide as they look. */
function asSeen(box: Box, { displayWidth, displayHeight }: VideoFacts, coded: { width: number; height: number }): Box {
  const [across, down] = [displayWidth / coded.width, displayHeight / coded.height]
  const [x, y] = [Math.round(box.x * across), Math.round(box.y * down)]
  return { x, y, width: Math.round(box.width * across), height: Math.round(box.height * down) }
}
