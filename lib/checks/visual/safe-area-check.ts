import { z } from 'zod'
import type { ReadWord, TextReading } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { countConfidence, measuredConfidence } from '../confidence'
import { isAtLeast } from '../limits'
import { allOf, count, decimal, pixelSize } from '../wording'
import { around, foundCopy, notRead } from './found-copy'
import { sizeAsSeen } from './size'

const SIDES = ['top', 'right', 'bottom', 'left'] as const
type Side = (typeof SIDES)[number]

/** Words that are no phrase of the copy count where they were read surely: texture reads like short ones. */
const SURE = 0.9
const LEAST_LETTERS = 3

const margin = (side: Side) =>
  z
    .number()
    .min(0)
    .max(49)
    .nullable()
    .default(null)
    .meta({
      title: `Free of text: ${side}`,
      unit: `% of the ${side === 'top' || side === 'bottom' ? 'height' : 'width'}`,
      source:
        'Reasoned: none unless set; platforms lay their own buttons over the edges (Meta asks for 14 % at the top and 20 % at the bottom of stories, 35 % of reels), EBU R 95 for 5 % on all sides of television',
    })

export const safeAreaCheck = mediaCheck({
  id: 'safe_area_check',
  label: 'Safe area for text',
  kinds: ['image', 'video'],
  needs: ['text'],
  describe:
    'The required copy, and other text that was read beside it, keeps clear of the edges that a placement covers or cuts. Text is read where a batch requires copy; logos and faces are not recognised. A box around words is what is compared.',
  severity: 'advisory',
  enabledByDefault: false,
  confidence:
    'How likely the text is on the same side of the border, with a standard deviation of half a percent of the side, as a box around letters may be a little too large. A pass: at most 0.95, as other text may not have been read. A fail by other words than the required copy: each is taken to be text with 0.7, as texture may read like one, so that a person looks at a single one; 0.91 at most for two.',
  thresholds: z.strictObject({
    top_percent: margin('top'),
    right_percent: margin('right'),
    bottom_percent: margin('bottom'),
    left_percent: margin('left'),
  }),
  notFor: notRead,
  run({ media, name, expectations: { requiredCopy = [] }, measures: { text } }, thresholds) {
    const { width, height } = sizeAsSeen(media)
    const asked = SIDES.flatMap((side) => {
      const percent = thresholds[`${side}_percent`]
      return percent === null ? [] : [{ side, percent }]
    })
    if (asked.length === 0) return skip('No safe area is set for this media category.')
    const found = foundCopy(text, requiredCopy)
    const others = wordsBeside(
      text.readings,
      found.flatMap(({ words }) => words),
    )
    if (found.length === 0 && others.length === 0)
      return skip('None of the required copy was found, and no other text was read surely.')
    const share = ({ x, y, width: across, height: down }: ReadWord['region']): Record<Side, number> => ({
      top: (y / height) * 100,
      right: ((width - x - across) / width) * 100,
      bottom: ((height - y - down) / height) * 100,
      left: (x / width) * 100,
    })
    const sidesOf = (region: ReadWord['region']) =>
      asked.filter(({ side, percent }) => !isAtLeast(share(region)[side], percent))
    const places = [
      ...found.map(({ phrase, region, time }) => ({ what: phrase, region, time, isCopy: true })),
      ...others.map(({ word, time }) => ({ what: word.text, region: word.region, time, isCopy: false })),
    ]
    const outside = places.flatMap((place) => {
      const sides = sidesOf(place.region)
      return sides.length > 0 ? [{ ...place, sides }] : []
    })
    const least = Math.min(
      ...places.flatMap(({ region }) => asked.map(({ side, percent }) => share(region)[side] - percent)),
    )
    const wanted = allOf(asked.map(({ side, percent }) => `${decimal(percent)} % ${side}`))
    const confidence = measuredConfidence(least, 0, 0.5)
    const extras = {
      measured: Number(least.toFixed(1)),
      expected: 0,
      unit: '% from the nearest edge of the safe area',
      confidence,
    }
    if (outside.length === 0)
      return pass(
        `${count(found.length, 'phrase')} of the required copy and ${count(others.length, 'other word')} keep ${wanted} of ${pixelSize(width, height)} free.`,
        { ...extras, confidence: Math.min(0.95, confidence) },
      )
    const shown = outside
      .slice(0, 5)
      .map(({ what, sides }) => `“${what.slice(0, 60)}” (${allOf(sides.map(({ side }) => side))})`)
    return fail(
      `${allOf(shown)}${outside.length > shown.length ? ` and ${outside.length - shown.length} more` : ''} ${outside.length === 1 ? 'reaches' : 'reach'} out of the safe area; ${wanted} of ${pixelSize(width, height)} should be free of text.`,
      {
        ...extras,
        ...(!outside.some(({ isCopy }) => isCopy) && {
          confidence: Math.min(countConfidence(outside.length, 0.7), confidence),
        }),
        occurrences: outside
          .slice(0, 20)
          .map(({ region, time }) => ({ ...(time !== undefined && { start: time, end: time }), region })),
        fix: `Move the text of “${name}” inward: ${asked.map(({ side, percent }) => `${Math.ceil(((side === 'top' || side === 'bottom' ? height : width) * percent) / 100)} px from the ${side}`).join(', ')}.`,
      },
    )
  },
})

/** Words of the first reading of each place that are no part of the copy, read surely. */
function wordsBeside(readings: readonly TextReading[], copy: readonly ReadWord[]) {
  const known = new Set(copy)
  const seen = new Set<string>()
  return readings.flatMap(({ words, time, how }) => {
    const place = `${time}`
    if (seen.has(place) || how === 'layer') return []
    seen.add(place)
    return words
      .filter(
        (word) =>
          !known.has(word) &&
          word.confidence >= SURE &&
          (word.text.match(/\p{L}/gu)?.length ?? 0) >= LEAST_LETTERS &&
          !copy.some((each) => overlaps(each, word)),
      )
      .map((word) => ({ word, time }))
  })
}

/** Read again in another way. */
function overlaps(one: ReadWord, other: ReadWord): boolean {
  const both = around([one, other])
  return (
    both !== null &&
    both.width < one.region.width + other.region.width &&
    both.height < one.region.height + other.region.height
  )
}
