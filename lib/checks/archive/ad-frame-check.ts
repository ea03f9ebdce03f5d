import { z } from 'zod'
import type { FrameFault } from '@/lib/media/measurements'
import { fail, mediaCheck, pass } from '../check'
import { allOf } from '../wording'
import { lacksLibraries, notAnAd } from './start-document'

/** What it does, and how to fix it. */
const FAULTS: Record<FrameFault['what'], { said: (detail: string) => string; fix: string }> = {
  reaches_out: {
    said: (detail) => `reaches into the page around it, and its script ends there (${detail})`,
    fix: 'take access to window.top, window.parent and frameElement out, or catch the error it throws in frames of other sites',
  },
  leaves_page: {
    said: (detail) => `navigates the page around it without being clicked (${detail})`,
    fix: 'open the click tag in a new window, in the handler of a click only',
  },
  breaks: {
    said: (detail) => `ends a script that runs to its end outside of a frame (${detail})`,
    fix: 'ask whether window.frameElement is there before using it, and what $sf.ext.supports() returns',
  },
  needs_safeframe: {
    said: (detail) => `ends its script where there is no SafeFrame (${detail})`,
    fix: 'ask whether window.$sf and $sf.ext are there before using them',
  },
  unregistered: {
    said: (detail) => `calls ${detail} before $sf.ext.register()`,
    fix: 'call $sf.ext.register(width, height, callback) first',
  },
  expands_unasked: {
    said: () => 'expands without being clicked',
    fix: 'call $sf.ext.expand() in the handler of a click only',
  },
  expands_too_far: {
    said: (detail) => `expands farther than the page has room for (${detail})`,
    fix: 'expand by no more than $sf.ext.geom().exp states',
  },
  expands_by_pushing: {
    said: () => 'pushes the page aside, which the page does not offer',
    fix: "push only where $sf.ext.supports('exp-push') is true",
  },
}

export const adFrameCheck = mediaCheck({
  id: 'ad_frame_check',
  label: 'Behaviour in a frame',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'Publishers show ads in frames of another site, by SafeFrame or without. An ad that mentions what is around it (top and parent of its window, frameElement, $sf) is run once more in such a frame, for some seconds and without a click: its scripts do not reach into the page around it or end there, do not navigate it, and expand by SafeFrame only as its host offers: registered, after a click, within the room that is stated, not by pushing where that is not supported. And they do not take SafeFrame for granted where it is not there. Access that is caught is not accused.',
  severity: 'advisory',
  confidence:
    '1: seen. A pass: 0.95, as an ad may do it later; 0.7 where libraries of other servers, which were not loaded, may do it.',
  thresholds: z.strictObject({}),
  run({ measures: { banner }, name }) {
    const { inFrame, start } = banner
    const standard = 'IAB SafeFrame 1.1 (2014); W3C HTML, cross-origin access to windows'
    if (inFrame === undefined) return { failed: 'the ad could not be run in a frame, or was run by an earlier version' }
    const faults = inFrame === 'unasked' ? [] : inFrame
    const extras = { measured: faults.length, expected: 0, standard }
    if (faults.length === 0) {
      const how =
        inFrame === 'unasked'
          ? 'No file of the ad mentions the page around it.'
          : 'The ad runs in a frame of another site.'
      return pass(how, { ...extras, confidence: lacksLibraries(banner) ? 0.7 : 0.95 })
    }
    const said = faults.slice(0, 3).map(({ what, detail }) => FAULTS[what].said(detail))
    const fixes = [...new Set(faults.map(({ what }) => FAULTS[what].fix))]
    return fail(`In a frame of another site the ad ${allOf(said)}${faults.length > 3 ? ', and more' : ''}.`, {
      ...extras,
      fix: `In the scripts of “${start}” of “${name}”, ${allOf(fixes)}.`,
    })
  },
})
