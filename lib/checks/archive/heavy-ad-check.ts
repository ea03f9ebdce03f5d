import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { machineConfidence } from '../confidence'
import { isAtMost } from '../limits'
import { allOf, decimal, fileSize, seconds } from '../wording'
import { heaviest, loadOf, sureOfLoad } from './load'
import { notAnAd } from './start-document'

const STANDARD = 'Chrome 85 (2020), heavy ad intervention'

export const heavyAdCheck = mediaCheck({
  id: 'heavy_ad_check',
  label: 'Heavy ad',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'Chrome removes an ad that was not clicked once it has loaded too much or computed too long: the running ad stays below, counted until it is clicked here. Its main thread is measured from the navigation on, and where it computes all that this server lets it, the time for which it waits for a processor counts as well; an ad is watched for about half a minute, so that a limit of the whole is reached only by what computes nearly all of that time.',
  severity: 'blocking',
  confidence:
    'Of what it loads: how likely it is on the same side of the limit, as a server may pack what can be packed better or worse than the archive (a tenth of it is one standard deviation), at most 0.99, and 0.7 where other servers serve a part of it; of processor time the share of machines on which it is the same, as in cpu_check: 0.5 at the limit, 0.84 at half or double of it. A pass: the least of both.',
  thresholds: z.strictObject({
    max_network_bytes: z
      .number()
      .int()
      .positive()
      .nullable()
      .default(4_000_000)
      .meta({
        title: 'Most it may load',
        unit: 'bytes',
        source: `${STANDARD}: 4 megabytes`,
      }),
    max_window_cpu_seconds: z
      .number()
      .positive()
      .nullable()
      .default(15)
      .meta({
        title: 'Most processor time in any 30 seconds',
        unit: 's',
        source: `${STANDARD}: 15 seconds of the main thread in any window of 30`,
      }),
    max_total_cpu_seconds: z
      .number()
      .positive()
      .nullable()
      .default(60)
      .meta({
        title: 'Most processor time in all',
        unit: 's',
        source: `${STANDARD}: 60 seconds of the main thread`,
      }),
  }),
  run({ measures: { banner } }, { max_network_bytes, max_window_cpu_seconds, max_total_cpu_seconds }) {
    const window = banner.cpu?.window
    const total = banner.cpu?.total
    if (banner.ended !== 'watched' || window === undefined || total === undefined)
      return { failed: 'the ad did not live long enough to be measured' }
    const load = loadOf(banner, ['initial', 'later'])
    const { bytes, loaded } = load
    const isElsewhere = banner.requests.some(({ status, phase }) => status === 'outside' && phase !== 'click')
    const ofLoad = max_network_bytes === null ? 1 : sureOfLoad(load, max_network_bytes, isElsewhere)
    const ofTime = (measured: number, limit: number | null) => (limit === null ? 1 : machineConfidence(measured, limit))
    const faults: { said: string; fix: string; confidence: number }[] = []
    if (max_network_bytes !== null && bytes > max_network_bytes) {
      faults.push({
        said: `it loads ${fileSize(bytes)}, at most ${fileSize(max_network_bytes)} are let through`,
        fix: `make ${allOf(heaviest(loaded))} lighter`,
        confidence: ofLoad,
      })
    }
    const computes = (measured: number, limit: number | null, within: string) => {
      if (limit === null || isAtMost(measured, limit)) return
      faults.push({
        said: `its main thread computes for ${seconds(Number(decimal(measured, 1)))} ${within}, at most ${seconds(limit)} are let through`,
        fix: `search the scripts of “${banner.start}” for what computes all the time, and draw in requestAnimationFrame at 30 frames a second at most`,
        confidence: machineConfidence(measured, limit),
      })
    }
    computes(window, max_window_cpu_seconds, 'within half a minute')
    computes(total, max_total_cpu_seconds, 'in all')
    const extras = { measured: bytes, unit: 'bytes', standard: STANDARD }
    if (faults.length === 0) {
      return pass(
        `The ad loads ${fileSize(bytes)} and computes for ${seconds(Number(decimal(window, 1)))} in its busiest half minute: Chrome lets it be.`,
        {
          ...extras,
          confidence: Math.min(ofLoad, ofTime(window, max_window_cpu_seconds), ofTime(total, max_total_cpu_seconds)),
        },
      )
    }
    const fixes = allOf([...new Set(faults.map(({ fix }) => fix))])
    return fail(`Chrome would remove the ad: ${faults.map(({ said }) => said).join('; ')}.`, {
      ...extras,
      ...(max_network_bytes !== null && { expected: max_network_bytes }),
      confidence: Math.max(...faults.map(({ confidence }) => confidence)),
      fix: `${fixes.slice(0, 1).toUpperCase()}${fixes.slice(1)}.`,
    })
  },
})
