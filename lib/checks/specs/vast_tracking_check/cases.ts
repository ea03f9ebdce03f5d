import { otherFacts, subject, vastAd, vastLinear, vastTag } from '../../testing'
import { vastTrackingCheck } from '../../vast/vast-tracking-check'
import { specOf } from '../spec'

export const spec = specOf(vastTrackingCheck, {
  good: [
    { name: 'start to complete', given: vastTag() },
    { name: 'none is wanted', given: vastLinear({ events: [] }), thresholds: { events: [] } },
    { name: 'a click that leads somewhere', given: vastTag(), thresholds: { click_through: true } },
  ],
  bad: [
    {
      name: 'no quartiles',
      given: vastLinear({ events: ['start', 'complete'] }),
      details: 'has no firstQuartile, midpoint and thirdQuartile',
      fix: /<Tracking event="midpoint">/,
    },
    { name: 'another event is wanted', given: vastTag(), thresholds: { events: ['mute'] }, details: /has no mute/ },
    {
      name: 'a click that leads nowhere',
      given: vastLinear({ clickThrough: null }),
      thresholds: { click_through: true },
      fix: /<ClickThrough>/,
    },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'a wrapper', given: vastTag({ ads: [vastAd({ kind: 'wrapper' })] }) },
  ],
})
