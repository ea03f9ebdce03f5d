import { adFeatureCheck } from '../../archive/ad-feature-check'
import { plainArchive, ranAd, unrunAd } from '../../testing'
import { specOf } from '../spec'

const used = (what: 'cookies' | 'eval' | 'local_storage' | 'geolocation', times = 1) =>
  ranAd({ features: [{ what, times }] })

export const spec = specOf(adFeatureCheck, {
  good: [
    { name: 'it uses nothing', given: ranAd({ features: [] }) },
    {
      name: 'what is forbidden elsewhere only',
      given: used('local_storage'),
      thresholds: { forbidden: ['cookies', 'geolocation'] },
    },
  ],
  bad: [
    { name: 'cookies', given: used('cookies'), details: /uses cookies\./, fix: /take document.cookie out/ },
    {
      name: 'text run as code, often',
      given: used('eval', 12),
      details: /new Function\(\), timers with text\) \(12 times\)/,
    },
    {
      name: 'two at once',
      given: ranAd({
        features: [
          { what: 'document_write', times: 1 },
          { what: 'indexed_db', times: 1 },
        ],
      }),
      details: 'document.write() and IndexedDB',
      fix: /append\(\) instead of document\.write\(\).*“indexedDB”/,
    },
    {
      name: 'before its page crashed',
      given: { ...ranAd({ ended: 'crashed', features: [{ what: 'geolocation', times: 1 }] }) },
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
  error: [
    { name: 'nothing can run it', given: unrunAd, details: /no Chromium/ },
    { name: 'its page crashed', given: ranAd({ ended: 'crashed', features: [] }) },
  ],
})
