import { z } from 'zod'
import { AD_FEATURES, type AdFeature } from '@/lib/media/measurements'
import { fail, mediaCheck, pass } from '../check'
import { allOf, anyOf } from '../wording'
import { notAnAd } from './start-document'

/** What it is called, and what to do instead. */
const FEATURES: Record<AdFeature, { called: string; fix: string }> = {
  document_write: {
    called: 'document.write()',
    fix: 'put the markup into the file, or add elements with append() instead of document.write()',
  },
  eval: {
    called: 'text run as code (eval(), new Function(), timers with text)',
    fix: 'call functions instead of eval(), new Function() and timers with text',
  },
  cookies: { called: 'cookies', fix: 'take document.cookie out' },
  local_storage: {
    called: 'localStorage',
    fix: 'keep what the ad has to remember in variables instead of localStorage',
  },
  session_storage: {
    called: 'sessionStorage',
    fix: 'keep what the ad has to remember in variables instead of sessionStorage',
  },
  indexed_db: { called: 'IndexedDB', fix: 'keep what the ad has to remember in variables instead of IndexedDB' },
  geolocation: { called: 'geolocation', fix: 'take navigator.geolocation out: the ad server knows the place' },
}

export const adFeatureCheck = mediaCheck({
  id: 'ad_feature_check',
  label: 'Forbidden features',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'What the running ad uses of the browser that publishers and ad servers do not let it use: document.write(), text that is run as code, cookies and storage, geolocation. It is seen being called, in frames of the ad, too; code that never runs is not accused. Dialogs, windows, redirects, downloads and sound are in ad_behaviour_check.',
  severity: 'advisory',
  confidence: '1: seen.',
  thresholds: z.strictObject({
    forbidden: z
      .array(z.enum(AD_FEATURES))
      .default([...AD_FEATURES])
      .meta({
        title: 'Features that are not taken',
        source:
          'Reasoned: browsers refuse storage and geolocation to frames of other sites (W3C Permissions Policy, default allowlist “self”), publishers’ policies refuse eval (W3C CSP 3, unsafe-eval), and document.write() delays a page (Chrome 55 intervention)',
      }),
  }),
  run({ measures: { banner }, name }, { forbidden }) {
    if (!banner.features) return { failed: 'the ad was run by an earlier version, which did not look for this' }
    const used = banner.features.filter(({ what }) => forbidden.includes(what))
    const extras = { measured: used.length, expected: 0 }
    if (used.length === 0) {
      if (banner.ended !== 'watched') return { failed: 'the ad did not live long enough to be watched' }
      return pass('The ad uses nothing that is forbidden.', extras)
    }
    const called = used.map(({ what, times }) => `${FEATURES[what].called}${times > 1 ? ` (${times} times)` : ''}`)
    return fail(`The ad uses ${allOf(called)}.`, {
      ...extras,
      fix: `In “${banner.start}” of “${name}” and its scripts, ${allOf(used.map(({ what }) => FEATURES[what].fix))}; search them for ${anyOf(used.map(({ what }) => WORDS[what]))}.`,
    })
  },
})

/** What to search the code for. */
const WORDS: Record<AdFeature, string> = {
  document_write: '“document.write”',
  eval: '“eval(”, “Function(” and “setTimeout("”',
  cookies: '“document.cookie”',
  local_storage: '“localStorage”',
  session_storage: '“sessionStorage”',
  indexed_db: '“indexedDB”',
  geolocation: '“geolocation”',
}
