import { consoleErrorCheck } from '../../archive/console-error-check'
import { plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(consoleErrorCheck, {
  good: [{ name: 'no errors', given: ranAd() }],
  bad: [
    {
      name: 'an error that came four times',
      given: ranAd({ errors: [{ text: 'no price', count: 4, uncaught: false }] }),
      details: /“no price” \(4 times\)/,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
