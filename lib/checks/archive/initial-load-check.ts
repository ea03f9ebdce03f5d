import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, fileSize } from '../wording'
import { heaviest, IAB_INITIAL_LOADS, limitFor, loadOf, sureOfLoad } from './load'
import { notAnAd } from './start-document'

export const initialLoadCheck = mediaCheck({
  id: 'initial_load_check',
  label: 'Initial load',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'What the running ad loads until its load event, each file once, in the bytes it takes in the archive: about what a server sends that compresses. Files of other servers are not weighed.',
  severity: 'blocking',
  confidence:
    'How likely the load is on the same side of the limit, as a server may pack what can be packed better or worse than the archive (a tenth of it is one standard deviation): at most 0.99, and 0.7 where other servers serve a part of it.',
  thresholds: z.strictObject({
    max_bytes: z.number().int().positive().nullable().default(null).meta({
      title: 'Largest initial load',
      unit: 'bytes',
      source: 'Reasoned: none unless set, for sizes that are not in the list',
    }),
    max_bytes_by_size: z.record(z.string(), z.number().int().positive()).default(IAB_INITIAL_LOADS).meta({
      title: 'Largest initial load by size of the ad, as 300x250',
      unit: 'bytes',
      source: 'IAB New Ad Portfolio (2017), maximum initial load',
    }),
  }),
  run({ measures: { banner }, claims }, { max_bytes, max_bytes_by_size }) {
    const { size, limit } = limitFor(max_bytes_by_size, max_bytes, banner, claims)
    if (limit === null) return skip(`No initial load is set for ads of ${size}.`)
    const load = loadOf(banner, ['initial'])
    const { bytes, loaded } = load
    const isElsewhere = banner.requests.some(({ status, phase }) => status === 'outside' && phase === 'initial')
    const extras = {
      measured: bytes,
      expected: limit,
      unit: 'bytes',
      standard: 'IAB New Ad Portfolio (2017), maximum initial load',
      confidence: sureOfLoad(load, limit, isElsewhere),
    }
    const says = `The ad loads ${fileSize(bytes)} until it has loaded; at most ${fileSize(limit)} are wanted for ${size}.`
    if (bytes <= limit) return pass(says, extras)
    return fail(says, {
      ...extras,
      fix: `Make lighter or load after the load event: ${allOf(heaviest(loaded))}. ${fileSize(bytes - limit)} are too many.`,
    })
  },
})
