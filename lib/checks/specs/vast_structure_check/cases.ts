import { captions, otherFacts, subject, vastAd, vastCreative, vastLinear, vastTag } from '../../testing'
import { vastStructureCheck } from '../../vast/vast-structure-check'
import { specOf } from '../spec'

const wrapper = vastAd({ kind: 'wrapper', elements: ['AdSystem', 'VASTAdTagURI', 'Impression'], creatives: [] })
const without = (element: string) => vastAd({ elements: vastAd().elements.filter((each) => each !== element) })
const [file] = vastCreative().mediaFiles

export const spec = specOf(vastStructureCheck, {
  good: [
    { name: 'a tag of 4.2', given: vastTag(), details: 'VAST 4.2 with 1 ad, as the version requires.' },
    {
      name: 'an older one, without the identifiers of 4',
      given: vastTag({
        version: '2.0',
        ads: [
          vastAd({
            elements: ['AdSystem', 'AdTitle', 'Impression', 'Creatives'],
            creatives: [vastCreative({ universalAdIds: 0 })],
          }),
        ],
      }),
    },
    { name: '4.0 asks for no AdServingId', given: vastTag({ version: '4.0', ads: [without('AdServingId')] }) },
    { name: 'a wrapper', given: vastTag({ ads: [wrapper] }) },
    { name: 'the version that is wanted', given: vastTag(), thresholds: { versions: ['4.1', '4.2'] } },
    {
      name: 'a companion beside the video',
      given: vastTag({
        ads: [
          vastAd({
            creatives: [
              vastCreative(),
              vastCreative({
                kind: 'companion',
                duration: null,
                durationSeconds: null,
                hasMediaFiles: false,
                mediaFiles: [],
              }),
            ],
          }),
        ],
      }),
    },
  ],
  bad: [
    { name: 'no ad', given: vastTag({ ads: [], adCount: 0 }), details: /holds no ad/ },
    {
      name: 'no Impression',
      given: vastTag({ ads: [without('Impression')] }),
      details: /ad 1 \(“spring”\) has no Impression, or an empty one \(VAST 4.2, 3.4.4\)/,
    },
    {
      name: 'no AdServingId, from 4.1',
      given: vastTag({ version: '4.1', ads: [without('AdServingId')] }),
      details: /AdServingId/,
    },
    {
      name: 'no UniversalAdId, from 4.0',
      given: vastLinear({ universalAdIds: 0 }),
      details: /has no UniversalAdId \(VAST 4.2, 3.7.1\)/,
    },
    {
      name: 'neither InLine nor Wrapper',
      given: vastTag({ ads: [vastAd({ kind: 'none' })] }),
      details: /neither InLine nor Wrapper/,
    },
    {
      name: 'a wrapper that leads nowhere',
      given: vastTag({ ads: [{ ...wrapper, elements: ['AdSystem', 'Impression'] }] }),
      details: /VASTAdTagURI/,
    },
    { name: 'no Duration', given: vastLinear({ duration: null, durationSeconds: null }), details: /has no Duration/ },
    {
      name: 'a Duration in seconds',
      given: vastLinear({ duration: '15', durationSeconds: null }),
      details: /the Duration “15”, not HH:MM:SS/,
    },
    {
      name: 'no MediaFiles',
      given: vastLinear({ hasMediaFiles: false, mediaFiles: [] }),
      details: /has no MediaFiles/,
    },
    {
      name: 'a media file without size and delivery',
      given: vastLinear({ mediaFiles: file ? [{ ...file, delivery: null, width: null, height: null }] : [] }),
      details: /MediaFile 1 in the creative of ad 1 .* has no delivery, width, height/,
    },
    {
      name: 'a delivery that is none',
      given: vastLinear({ mediaFiles: file ? [{ ...file, delivery: 'download' }] : [] }),
      details: /the delivery “download”/,
    },
    {
      name: 'an older one is cited by its schema',
      given: vastTag({ version: '2.0', ads: [without('AdTitle')] }),
      details: /XML schema of VAST 2.0/,
    },
    {
      name: 'another version than is wanted',
      given: vastTag({ version: '3.0' }),
      thresholds: { versions: ['4.2'] },
      details: /version 4.2 is wanted/,
    },
    { name: 'a wrapper where none is taken', given: vastTag({ ads: [wrapper] }), thresholds: { wrapper: false } },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()), details: 'The file is no VAST tag.' },
    { name: 'captions', given: captions() },
  ],
})
