import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, fileSize } from '../wording'
import { heaviest, IAB_INITIAL_LOADS, limitFor, loadOf } from './load'
import { notAnAd } from './start-document'

export const subloadCheck = mediaCheck({
  id: 'subload_check',
  label: 'Subload',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'What the running ad loads by itself after its load event, in the bytes it takes in the archive. What it loads on a click is not part of it.',
  severity: 'blocking',
  confidence:
    '0.95, as a server may pack better or worse than the archive, and what it would load after it was no longer watched is not seen.',
  thresholds: z.strictObject({
    max_bytes: z.number().int().positive().nullable().default(null).meta({
      title: 'Largest subload',
      unit: 'bytes',
      source: 'Reasoned: none unless set, for sizes that are not in the list',
    }),
    max_bytes_by_size: z
      .record(z.string(), z.number().int().positive())
      .default(Object.fromEntries(Object.entries(IAB_INITIAL_LOADS).map(([size, bytes]) => [size, 2 * bytes])))
      .meta({
        title: 'Largest subload by size of the ad, as 300x250',
        unit: 'bytes',
        source: 'IAB New Ad Portfolio (2017): twice the initial load',
      }),
  }),
  run({ measures: { banner }, claims }, { max_bytes, max_bytes_by_size }) {
    const { size, limit } = limitFor(max_bytes_by_size, max_bytes, banner, claims)
    if (limit === null) return skip(`No subload is set for ads of ${size}.`)
    const { bytes, loaded } = loadOf(banner, ['later'])
    const extras = {
      measured: bytes,
      expected: limit,
      unit: 'bytes',
      standard: 'IAB New Ad Portfolio (2017), host-initiated subload',
      confidence: 0.95,
    }
    const says = `The ad loads ${bytes === 0 ? 'nothing' : fileSize(bytes)} after it has loaded; at most ${fileSize(limit)} are wanted for ${size}.`
    if (bytes <= limit) return pass(says, extras)
    return fail(says, {
      ...extras,
      fix: `Make lighter, or load on a click only: ${allOf(heaviest(loaded))}. ${fileSize(bytes - limit)} are too many.`,
    })
  },
})
