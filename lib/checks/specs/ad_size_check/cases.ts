import { adSizeCheck } from '../../archive/ad-size-check'
import { archive, html, plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

const stage = (width: number, height: number) => ranAd({ stage: { width, height, isElement: true, isEmpty: false } })

export const spec = specOf(adSizeCheck, {
  good: [
    { name: 'states a size, and none is set', given: archive(), details: /states 300 × 250 px/ },
    { name: 'states a size of the list', given: archive(), thresholds: { sizes: ['300x250'] } },
    {
      name: 'states its size in another order and case',
      given: html("<META content='width=300, height=250' NAME='ad.size'>"),
    },
    { name: 'draws the size it states', given: stage(300, 250), details: /and draws it/ },
    { name: 'draws half a pixel more than it states', given: stage(300.5, 250) },
  ],
  bad: [
    {
      name: 'states a size that is not listed',
      given: archive(),
      thresholds: { sizes: ['728x90'] },
      details: /300 × 250 px; 728 × 90 px is wanted/,
    },
    {
      name: 'states another size than its name',
      given: { ...archive(), claims: { width: 320, height: 50 } },
      details: /the name says 320 × 50 px/,
    },
    {
      name: 'states no size',
      given: html('<html></html>'),
      fix: /<meta name="ad.size" content="width=300,height=250">/,
    },
    {
      name: 'states its size in an unknown form',
      given: html('<meta name="ad.size" content="300x250">'),
      details: /unknown form/,
    },
    {
      name: 'draws another size than it states',
      given: stage(320, 250),
      details: /states 300 × 250 px, but draws 320 × 250 px/,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
