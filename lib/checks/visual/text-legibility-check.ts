import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { isAtLeast } from '../limits'
import { count, decimal } from '../wording'
import { foundCopy, notRead } from './found-copy'
import { sizeAsSeen } from './size'

export const textLegibilityCheck = mediaCheck({
  id: 'text_legibility_check',
  label: 'Legibility of the required copy',
  kinds: ['image', 'video'],
  needs: ['text'],
  describe:
    'How high the letters of the required copy are once the image or video is shown as wide as its placement shows it: the highest word of each phrase, from its lowest to its highest ink, in the direction it stands in, capitals and letters with descenders included. Text is read where a batch requires copy.',
  severity: 'advisory',
  enabledByDefault: false,
  confidence:
    'How likely the lowest phrase is on the same side of the limit, with a standard deviation of one pixel of the image: the ink of letters of 11 to 30 px measures up to 1.3 px too high or too low, as its edges are soft (labelled set). A pass where a part of the copy was not found: at most 0.6, as what is too small is not read.',
  thresholds: z.strictObject({
    min_height_px: z.number().positive().max(1000).nullable().default(null).meta({
      title: 'Least height of a line as it is shown',
      unit: 'px',
      source: 'Reasoned: none unless set; small print of 9 to 10 px is what screens still show legibly',
    }),
    shown_width_px: z.number().int().positive().max(20_000).nullable().default(null).meta({
      title: 'Width in which it is shown',
      unit: 'px',
      source: 'Reasoned: its own width where this is not set; a phone shows a story 360 to 430 px wide',
    }),
  }),
  notFor: notRead,
  run({ media, name, expectations: { requiredCopy = [] }, measures: { text } }, { min_height_px, shown_width_px }) {
    if (min_height_px === null) return skip('No least height of text is set for this media category.')
    const found = foundCopy(text, requiredCopy)
    if (found.length === 0) return skip('None of the required copy was found.')
    const { width } = sizeAsSeen(media)
    const shown = shown_width_px ?? width
    const phrases = found
      .map((each) => ({
        ...each,
        height: (Math.max(...each.words.map(({ region, height = region.height }) => height)) * shown) / width,
      }))
      .sort((a, b) => a.height - b.height)
    const small = phrases.filter(({ height }) => !isAtLeast(height, min_height_px))
    const smallest = phrases[0]?.height ?? 0
    const extras = {
      measured: Number(smallest.toFixed(1)),
      expected: min_height_px,
      unit: 'px',
      confidence: measuredConfidence(smallest, min_height_px, shown / width),
    }
    const at = shown === width ? 'as it is' : `shown ${shown} px wide`
    if (small.length === 0)
      return pass(
        `${count(found.length, 'phrase')} of the required copy: the lowest is ${decimal(smallest, 1)} px high, ${at}; at least ${decimal(min_height_px)} px are wanted.`,
        { ...extras, confidence: Math.min(extras.confidence, found.length < requiredCopy.length ? 0.6 : 1) },
      )
    const quoted = small
      .slice(0, 3)
      .map(({ phrase, height }) => `“${phrase.slice(0, 60)}” is ${decimal(height, 1)} px high`)
    return fail(
      `${quoted.join(', ')}${small.length > 3 ? ' …' : ''}, ${at}; at least ${decimal(min_height_px)} px are wanted.`,
      {
        ...extras,
        occurrences: small
          .slice(0, 20)
          .map(({ region, time }) => ({ ...(time !== undefined && { start: time, end: time }), region })),
        fix: `Set the text of “${name}” ${decimal(min_height_px / smallest, 1)} times as large.`,
      },
    )
  },
})
