import { z } from 'zod'
import { fail, fileCheck, pass, skip } from '../check'
import { count } from '../wording'

export const nearDuplicateCheck = fileCheck({
  id: 'near_duplicate_check',
  label: 'Near duplicates',
  kinds: ['image', 'video', 'document'],
  describe:
    'Another file of the project looks the same: a copy that was saved again, scaled or renamed. Of a film a telling frame is compared, of a document its first page.',
  severity: 'advisory',
  confidence:
    'A match: 1 less 1/64 for each differing bit, less a tenth, as unlike pictures may share a hash. None: 0.9.',
  thresholds: z.strictObject({
    max_distance: z.number().int().min(0).max(16).default(6).meta({
      title: 'Differing bits that still look the same',
      unit: 'bits of 64',
      source: 'Reasoned: re-saving and scaling flip up to 3 bits of a difference hash, unlike pictures about 32',
    }),
  }),
  run({ neighbours, name }, { max_distance }) {
    if (neighbours === undefined) return skip('The picture is too plain to be compared with others.')
    const close = neighbours
      .filter((neighbour) => neighbour.distance <= max_distance)
      .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    const nearest = close[0]
    const expected = `more than ${max_distance}`
    if (!nearest) {
      return pass('No other picture of the project looks like this one.', {
        confidence: 0.9,
        expected,
        unit: 'bits of 64',
      })
    }
    const others = close.length > 1 ? ` and like ${count(close.length - 1, 'further file')}` : ''
    return fail(
      `The picture looks like “${nearest.name}” (${nearest.distance} of 64 bits differ)${others}; copies of one motif are not wanted.`,
      {
        confidence: Math.round((0.9 - nearest.distance / 64) * 100) / 100,
        measured: nearest.distance,
        expected,
        unit: 'bits of 64',
        fix: `Compare “${name}” with “${nearest.name}” and keep one, or send the one as the next version of the other.`,
      },
    )
  },
})
