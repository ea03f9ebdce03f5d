import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { machineConfidence } from '../confidence'
import { decimal } from '../wording'
import { notAnAd } from './start-document'

export const cpuCheck = mediaCheck({
  id: 'cpu_check',
  label: 'Processor load',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'The share of the time for which the main thread of the ad computes: from its load until it comes to rest, or in the busiest four seconds, whether anything moves or not. Drawing on a graphics card is not part of it.',
  severity: 'advisory',
  confidence:
    'The share of machines on which it is the same, as two in three are taken to be between half and double as fast as this server: 0.5 at the threshold, 0.84 at half or double of it, 0.98 at a quarter or four times, at most 0.99.',
  thresholds: z.strictObject({
    max_percent: z.number().positive().max(100).default(30).meta({
      title: 'Highest load of the main thread',
      unit: '%',
      source: 'IAB New Ad Portfolio (2017): 30 % of the processor',
    }),
  }),
  run({ measures: { banner } }, { max_percent }) {
    const mean = banner.cpu?.mainThread ?? null
    if (banner.ended !== 'watched' || mean === null) return { failed: 'the ad did not live long enough to be measured' }
    const share = Math.max(mean, banner.cpu?.busiest ?? 0)
    const percent = Number(decimal(share * 100, 0))
    const extras = {
      measured: percent,
      expected: max_percent,
      unit: '%',
      standard: 'IAB New Ad Portfolio (2017), CPU',
      confidence: machineConfidence(share * 100, max_percent),
    }
    const says = `The main thread of the ad computes for ${percent} % of the time ${share > mean ? 'in its busiest four seconds' : 'while it runs'}; at most ${decimal(max_percent)} % are wanted.`
    if (percent <= max_percent) return pass(says, extras)
    return fail(says, {
      ...extras,
      fix: `In “${banner.start}”, animate transform and opacity by CSS instead of layout or large canvases by script, and draw in requestAnimationFrame at 30 frames a second at most.`,
    })
  },
})
