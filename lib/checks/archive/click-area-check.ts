import { z } from 'zod'
import type { BannerFacts, Click } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { sampleConfidence } from '../confidence'
import { isAtLeast } from '../limits'
import { decimal } from '../wording'
import { notAnAd } from './start-document'

/** Points of the stage that are asked (page-scripts.ts). */
const POINTS = 400

export const clickAreaCheck = mediaCheck({
  id: 'click_area_check',
  label: 'Clickable area',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'How much of what the ad draws answers a click: 400 points of its stage, each asked whether a link, a button or a handler of clicks lies there. Where the click leads is in click_tag_check.',
  severity: 'advisory',
  confidence:
    'How likely the whole stage is on the same side of the limit as its 400 points: 0.5 at the limit, 0.98 at two standard deviations of the sample (5 % of the stage at a limit of 50 %); at a limit of 100 % one point decides. A pass at most 0.95 where it takes handlers of scripts, which may ignore a click where they lie, and 0.85 where a click in the middle of the ad led nowhere. A fail at most 0.97 where that click led nowhere, too, otherwise 0.95, as only links, buttons and handlers of clicks are looked for.',
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
    const extras = { measured: Number(decimal(percent, 1)), expected: min_percent, unit: '%' }
    const says = `${is}; at least ${decimal(min_percent)} % are wanted.`
    const sample = sampleConfidence(banner.clickableShare, min_percent / 100, POINTS)
    if (isAtLeast(percent, min_percent))
      return pass(says, { ...extras, confidence: Math.min(mostOfPass(banner, min_percent), sample) })
    return fail(says, {
      ...extras,
      confidence: Math.min(leadsAway(banner.click) ? 0.95 : 0.97, sample),
      fix: `In “${banner.start}”, lay a link of the size of the ad over everything (position: absolute; inset: 0), and call window.open(window.clickTag) in its click handler.`,
    })
  },
})

/** Whether the click in the middle of the stage led anywhere. */
const leadsAway = (click: Click | null) => click !== null && click.on === 'stage' && click.target !== null

function mostOfPass({ linkedShare = 0, click }: BannerFacts, least: number): number {
  if (isAtLeast(linkedShare * 100, least)) return 1
  return leadsAway(click) ? 0.95 : 0.85
}
