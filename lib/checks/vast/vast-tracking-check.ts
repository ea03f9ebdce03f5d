import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'
import { inlineLinears, notVast, vastOf } from './vast'

const QUARTILES = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']

export const vastTrackingCheck = mediaCheck({
  id: 'vast_tracking_check',
  label: 'Tracking of the VAST tag',
  kinds: ['other'],
  describe:
    'Every linear creative of an ad that is no wrapper names an address for each event that is wanted, and a ClickThrough where one is. Other events may stand beside them.',
  severity: 'advisory',
  thresholds: z.strictObject({
    events: z.array(z.string().min(1)).default(QUARTILES).meta({
      title: 'Wanted events',
      source: 'VAST 4.2, 3.14.1: start, the quartiles and complete, from which completion is billed',
    }),
    click_through: z.boolean().default(false).meta({
      title: 'A click leads somewhere',
      source: 'VAST 4.2, 3.10.1. Not asked unless set, as televisions have no click',
    }),
  }),
  notFor: notVast,
  run({ media, name }, { events, click_through }) {
    const creatives = inlineLinears(vastOf(media))
    if (creatives.length === 0) return skip('The tag has no linear creative of its own.')
    const standard = 'VAST 4.2, 3.14.1'
    for (const { creative, where } of creatives) {
      const missing = [
        ...events.filter((event) => !creative.events.includes(event)),
        ...(click_through && creative.clickThrough === null ? ['ClickThrough'] : []),
      ]
      if (missing.length > 0) {
        return fail(`The creative of ${where} has no ${allOf(missing)}.`, {
          measured: creative.events.join(', ') || 'none',
          expected: events.join(', '),
          standard,
          fix: `Add ${missing.map((event) => (event === 'ClickThrough' ? '<ClickThrough>' : `<Tracking event="${event}">`)).join(', ')} to the Linear of “${name}”.`,
        })
      }
    }
    return pass(`${count(creatives.length, 'linear creative')} with every event that is wanted.`, { standard })
  },
})
