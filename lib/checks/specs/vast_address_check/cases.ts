import { otherFacts, subject, vastTag } from '../../testing'
import { vastAddressCheck } from '../../vast/vast-address-check'
import { specOf } from '../spec'

const insecure = (...places: [element: string, address: string][]) =>
  vastTag({ insecure: places.map(([element, address]) => ({ element, address })), insecureCount: places.length })

export const spec = specOf(vastAddressCheck, {
  good: [{ name: 'https throughout', given: vastTag(), details: 'All 9 addresses are https.' }],
  bad: [
    {
      name: 'a media file by http',
      given: insecure(['MediaFile', 'http://cdn.example/spot.mp4']),
      details: '1 of 9 addresses is not https: MediaFile “http://cdn.example/spot.mp4”.',
      fix: /write MediaFile with https/,
    },
    { name: 'an empty one', given: insecure(['Error', '']), details: /Error is empty/ },
    {
      name: 'many',
      given: insecure(['Tracking', '//t/1'], ['Tracking', '//t/2'], ['Tracking', '//t/3'], ['Tracking', '//t/4']),
      details: /4 of 9 addresses are not https.*and 1 more/,
    },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'no address', given: vastTag({ addressCount: 0 }) },
  ],
})
