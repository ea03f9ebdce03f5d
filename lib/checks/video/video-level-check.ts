import { z } from 'zod'
import type { VideoLevels } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { isAtLeast, isAtMost } from '../limits'
import { ffmpeg, sameVideoCodec } from '../recipe'
import { bounds, clock, decimal } from '../wording'

/** Half a code of 8 bits, in which levels are counted: 246 of 235 is 105.02 %. */
const ROUNDING = 0.25
/** Standard deviation, percent, of a code of 8 bits, and of what one frame says of those around it. */
const OF_A_CODE = 0.13
const OF_A_FRAME = 0.5

export const videoLevelCheck = mediaCheck({
  id: 'video_level_check',
  label: 'Video levels',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'R, G, B and Y stay between black and white, but for what is tolerated: in percent of that range, by frames that are averaged to 192 × 108 points (the low-pass filter), four times in the first second, then once a second, and each of which more than 1 % lies farther beyond black or white than of those before, by 80 × 45 points that are picked from every frame. A level counts when more than 1 % of a frame reaches it. Levels are counted in codes of 8 bits, so that a quarter of a percent is let through. In video of full range nothing lies beyond.',
  severity: 'advisory',
  enabledByDefault: false,
  confidence:
    'How likely the levels are on the same side of the limit and its rounding. The standard deviation is what another filter would change, half of what lies between the levels that ½ % and 2 % of the frame reach; at least 0.13 %, a code of 8 bits: an area that has exactly the limit passes with 0.97, one that is a code beyond fails with 0.99. For a pass at least half a percent where an earlier engine measured some frames only.',
  thresholds: z.strictObject({
    max_percent: z.number().min(100).max(200).nullable().default(105).meta({
      title: 'Highest level',
      unit: '%',
      source: 'EBU R 103 v3.0 (2020), Annex 1: 105 % (code 246 of 8 bits, 984 of 10)',
    }),
    min_percent: z.number().min(-100).max(0).nullable().default(-5).meta({
      title: 'Lowest level',
      unit: '%',
      source: 'EBU R 103 v3.0 (2020), Annex 1: -5 % (code 5 of 8 bits, 20 of 10)',
    }),
  }),
  run({ name, media, measures: { video } }, { max_percent, min_percent }) {
    const { levels } = video
    if (levels === undefined) return skip('The levels were not measured when the video was.')
    if (levels === null) return skip('The video shows no frame of which levels could be measured.')
    const { high, low, ofEveryFrame } = levels
    const wanted = bounds(min_percent, max_percent, (value) => `${decimal(value, 1)} %`)
    const has = `The levels of the video lie between ${decimal(low.percent, 1)} and ${decimal(high.percent, 1)} %`
    if (wanted === null) return skip(`${has}; no limit is set for this media category.`)
    const isHigh = max_percent !== null && !isAtMost(high.percent, max_percent + ROUNDING)
    const isLow = min_percent !== null && !isAtLeast(low.percent, min_percent - ROUNDING)
    const least = (isBeyond: boolean) => Math.max(OF_A_CODE, isBeyond || ofEveryFrame ? 0 : OF_A_FRAME)
    const sureOf = ({ percent, spread = OF_A_FRAME }: VideoLevels['high'], limit: number, isBeyond: boolean) =>
      measuredConfidence(percent, limit, Math.max(least(isBeyond), spread))
    const ofHigh = max_percent === null ? 1 : sureOf(high, max_percent + ROUNDING, isHigh)
    const ofLow = min_percent === null ? 1 : sureOf(low, min_percent - ROUNDING, isLow)
    const extras = {
      measured: isLow && !isHigh ? low.percent : high.percent,
      expected: wanted,
      unit: '%',
      standard: 'EBU R 103',
    }
    const details = `${has}; ${wanted} is wanted.`
    if (!isHigh && !isLow) return pass(details, { ...extras, confidence: Math.min(ofHigh, ofLow) })
    const worst = [...(isHigh ? [high] : []), ...(isLow ? [low] : [])]
    return fail(
      `${details} ${worst.map(({ percent, at }) => `${decimal(percent, 1)} % at ${clock(at)}`).join(', ')}.`,
      {
        ...extras,
        confidence: Math.max(isHigh ? ofHigh : 0, isLow ? ofLow : 0),
        occurrences: worst.map(({ at }) => ({ start: at, end: at })),
        fix: ffmpeg(name, `-vf limiter=min=16:max=235${sameVideoCodec(media.codec)} -c:a copy`),
      },
    )
  },
})
