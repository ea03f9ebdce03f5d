import { clickAreaCheck } from '../../archive/click-area-check'
import { plainArchive, ranAd, unrunAd } from '../../testing'
import { specOf } from '../spec'

const answers = (clickableShare: number, linkedShare = 0) => ranAd({ clickableShare, linkedShare })
const NOWHERE = { on: 'stage', target: null, how: null, byClickTag: false, declared: null } as const
const all = { min_percent: 100 }

export const spec = specOf(clickAreaCheck, {
  good: [
    { name: 'everywhere, by a link', given: answers(1, 1), thresholds: all, confidence: 0.99 },
    { name: 'everywhere, by a script', given: answers(1), thresholds: all, confidence: 0.95 },
    { name: 'partly by a link', given: answers(1, 0.5), thresholds: all, confidence: 0.95 },
    {
      name: 'everywhere by a script, and leads nowhere',
      given: ranAd({ clickableShare: 1, click: NOWHERE }),
      thresholds: all,
      confidence: 0.85,
    },
    { name: 'as much as is wanted', given: answers(0.8), thresholds: { min_percent: 80 }, confidence: 0.5 },
    { name: 'a little more', given: answers(0.81), thresholds: { min_percent: 80 }, confidence: 0.69 },
    { name: 'much more', given: answers(0.95), thresholds: { min_percent: 80 }, confidence: 0.95 },
  ],
  bad: [
    {
      name: 'a button only',
      given: answers(0.06),
      thresholds: all,
      details: /6 % of the ad answer a click; at least 100 %/,
    },
    { name: 'all but a row', given: answers(0.95), thresholds: all, fix: /lay a link of the size of the ad/ },
    { name: 'all but one point', given: answers(0.9975), thresholds: all, confidence: 0.95 },
    {
      name: 'a part, and a click in the middle leads nowhere',
      given: ranAd({ clickableShare: 0.3, click: NOWHERE }),
      thresholds: all,
      confidence: 0.97,
    },
    { name: 'a little less than wanted', given: answers(0.79), thresholds: { min_percent: 80 }, confidence: 0.69 },
    { name: 'much less than wanted', given: answers(0.4), thresholds: { min_percent: 80 }, confidence: 0.95 },
  ],
  skipped: [
    { name: 'a plain archive', given: plainArchive },
    { name: 'nothing is set', given: answers(0.3), details: /30 % of the ad answer a click; no part is set/ },
  ],
  error: [
    { name: 'nothing can run it', given: unrunAd, thresholds: all },
    {
      name: 'it shows nothing',
      given: (({ measures, ...rest }) => {
        const { clickableShare: _, ...banner } = measures.banner as Extract<typeof measures.banner, { browser: string }>
        return { ...rest, measures: { banner } }
      })(ranAd()),
      thresholds: all,
    },
  ],
})
