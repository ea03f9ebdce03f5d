import { z } from 'zod'
import type { AdViolation, BannerFacts } from '@/lib/media/measurements'
import { fail, mediaCheck, pass } from '../check'
import { allOf, decimal, fileSize } from '../wording'
import { lacksLibraries, notAnAd, WITHOUT_LIBRARIES } from './start-document'

/** What it did, and how to fix it. */
const VIOLATIONS: Record<AdViolation, { said: (detail: string) => string; fix: string }> = {
  dialog: { said: (detail) => `opens a dialog (${detail})`, fix: 'take alert(), confirm() and prompt() out' },
  popup: {
    said: (detail) => `opens ${detail} without being clicked`,
    fix: 'open windows in the handler of a click only',
  },
  redirect: { said: (detail) => `leaves for ${detail} without being clicked`, fix: 'take the redirect out' },
  download: { said: (detail) => `starts a download (${detail})`, fix: 'take the download out' },
  sound: {
    said: (detail) => detail,
    fix: 'start media with the attribute muted, and what a script plays (AudioContext) in the handler of a click only',
  },
}

export const adBehaviourCheck = mediaCheck({
  id: 'ad_behaviour_check',
  label: 'Behaviour of the ad',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'The ad is run in a browser without a network: it loads, goes on responding, shows something, and does nothing unasked: no dialog, no window or redirect without a click, no download, no audio.',
  severity: 'blocking',
  confidence: '1: seen; 0.6 for an empty stage without libraries of other servers.',
  thresholds: z.strictObject({
    sound: z.boolean().default(false).meta({
      title: 'Audio without a click is allowed',
      source: 'IAB New Ad Portfolio (2017): audio is started by the user',
    }),
  }),
  run({ measures: { banner }, name }, { sound }) {
    const standard = 'IAB New Ad Portfolio (2017), LEAN principles'
    const end = endOf(banner)
    if (end) return fail(`The ad ${end.said}.`, { measured: banner.ended, expected: 'watched', standard, fix: end.fix })
    const violations = banner.violations.filter(({ what }) => !(sound && what === 'sound'))
    if (violations.length > 0) {
      const said = violations.slice(0, 3).map(({ what, detail }) => VIOLATIONS[what].said(detail))
      const fix = [...new Set(violations.map(({ what }) => VIOLATIONS[what].fix))]
      return fail(`The ad ${allOf(said)}${violations.length > 3 ? ', and more' : ''}.`, {
        measured: violations.length,
        expected: 0,
        standard,
        fix: `In “${banner.start}” of “${name}”, ${allOf(fix)}.`,
      })
    }
    if (banner.stage?.isEmpty) {
      const lacks = lacksLibraries(banner)
      return fail(`The ad shows nothing.${lacks ? WITHOUT_LIBRARIES : ''}`, {
        measured: 'empty',
        standard,
        confidence: lacks ? 0.6 : 0.9,
        fix: `Open “${banner.start}” in a browser with its console, and fix what keeps it from drawing.`,
      })
    }
    return pass(
      `The ad loaded in ${decimal(banner.loadSeconds ?? 0, 1)} s and did nothing unasked while it was watched for ${decimal(banner.watchedSeconds, 1)} s.`,
      { measured: banner.loadSeconds ?? 0, unit: 's', standard },
    )
  },
})

function endOf({ ended, loadSeconds, watchedSeconds, memoryBytes, start }: BannerFacts) {
  const loop = `Search the scripts of “${start}” for a loop that does not end, and give the work to requestAnimationFrame in steps.`
  switch (ended) {
    case 'blocked': {
      const when = loadSeconds === null ? 'while it loads' : `after ${decimal(watchedSeconds, 1)} s`
      return { said: `blocks its page ${when}: a script does not end`, fix: loop }
    }
    case 'crashed':
      return { said: 'makes its page crash', fix: loop }
    case 'memory':
      return {
        said: `takes more memory than it may (${fileSize(memoryBytes)})`,
        fix: `Search the scripts of “${start}” for what is made again and again and never let go.`,
      }
    case 'left':
      return {
        said: 'replaces itself by another page without being clicked',
        fix: `Take the redirect out of “${start}”.`,
      }
    default:
      if (loadSeconds !== null) return null
      return {
        said: `did not finish loading within ${decimal(watchedSeconds, 0)} s`,
        fix: `Take out of “${start}” what waits for a response that does not come.`,
      }
  }
}
