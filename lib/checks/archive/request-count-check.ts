import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { count } from '../wording'
import { notAnAd, targetsOf } from './start-document'

export const requestCountCheck = mediaCheck({
  id: 'request_count_check',
  label: 'Requests of the initial load',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'How many files the running ad asks for until it has loaded, its own, missing ones and those of other servers; a file that is asked for twice counts once.',
  severity: 'blocking',
  thresholds: z.strictObject({
    max_requests: z.number().int().positive().nullable().default(10).meta({
      title: 'Most requests until it has loaded',
      unit: 'requests',
      source: 'IAB New Ad Portfolio (2017): 10 file requests during the initial load',
    }),
  }),
  run({ measures: { banner }, name }, { max_requests }) {
    const initial = targetsOf(banner.requests.filter(({ phase }) => phase === 'initial'))
    const amount = initial.length + (banner.loadSeconds === null ? banner.moreRequests : 0)
    const extras = {
      measured: amount,
      unit: 'requests',
      standard: 'IAB New Ad Portfolio (2017), maximum number of host-initiated file requests',
    }
    const asks = `The ad asks for ${count(amount, 'file')} until it has loaded`
    if (max_requests === null) return pass(`${asks}; no number is set.`, extras)
    const wanted = { ...extras, expected: max_requests }
    if (amount <= max_requests) return pass(`${asks}; at most ${max_requests} are wanted.`, wanted)
    const images = initial.filter((target) => /\.(?:png|jpe?g|gif|webp|svg)(?:$|\?)/i.test(target)).length
    const scripts = initial.filter((target) => /\.m?js(?:$|\?)/i.test(target)).length
    return fail(`${asks}; at most ${max_requests} are wanted.`, {
      ...wanted,
      fix: `Put images together into one sprite (${images} now) and scripts into one file (${scripts} now), or load what is not needed at first after the load event of “${name}”.`,
    })
  },
})
