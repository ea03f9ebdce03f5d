import { requestCountCheck } from '../../archive/request-count-check'
import { adRequest, askingAd, plainArchive } from '../../testing'
import { specOf } from '../spec'

const many = (amount: number) => Array.from({ length: amount }, (_, index) => adRequest(`${index}.png`))

export const spec = specOf(requestCountCheck, {
  good: [
    { name: 'ten requests', given: askingAd(...many(10)) },
    { name: 'twenty requests of ten files', given: askingAd(...many(10), ...many(10)) },
    { name: 'ten requests, and one after loading', given: askingAd(...many(10), adRequest('x', { phase: 'later' })) },
  ],
  bad: [{ name: 'eleven requests', given: askingAd(...many(11)), details: /11 files/ }],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
