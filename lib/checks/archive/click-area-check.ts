import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtLeast } from '../limits'
import { decimal } from '../wording'
import { notAnAd } from './start-document'

export const clickAreaCheck = mediaCheck({
  id: 'click_area_check',
  label: 'Clickable area',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'How much of what the ad draws answers a click: 400 points of its stage, each asked whether a link, a button or a handler of clicks lies there. Where the click leads is in click_tag_check.',
  severity: 'advisory',
  confidence: '0.85: a handler may ignore a click where it lies, which only a click at every point would show.',
  thresholds: z.strictObject({
    min_percent: z.number().positive().max(100).nullable().default(null).meta({
      title: 'Least part of the ad that is clickable',
      unit: '%',
      source: 'Reasoned: none unless set, as an ad may have several exits; publishers that ask for it ask for 100 %',
    }),
  }),
  run({ measures: { banner } }, { min_percent }) {
    if (banner.clickableShare === undefined)
      return { failed: 'the ad shows nothing, did not live long enough, or was run by an earlier version' }
    const percent = banner.clickableShare * 100
    const is = `${decimal(percent, 0)} % of the ad answer a click`
    if (min_percent === null) return skip(`${is}; no part is set for this media category.`)
    const extras = { measured: Number(decimal(percent, 1)), expected: min_percent, unit: '%', confidence: 0.85 }
    const says = `${is}; at least ${decimal(min_percent)} % are wanted.`
    if (isAtLeast(percent, min_percent)) return pass(says, extras)
    return fail(says, {
      ...extras,
      fix: `In “${banner.start}”, lay a link of the size of the ad over everything (position: absolute; inset: 0), and call window.open(window.clickTag) in its click handler.`,
    })
  },
})
