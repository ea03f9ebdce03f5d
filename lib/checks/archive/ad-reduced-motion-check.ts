import { z } from 'zod'
import { mediaCheck, pass, skip, warn } from '../check'
import { countConfidence } from '../confidence'
import { isOver, lacksLibraries, notAnAd } from './start-document'

/** That a change of the image is motion of the ad, and no image that came late. */
const OF_A_CHANGE = 0.9

export const adReducedMotionCheck = mediaCheck({
  id: 'ad_reduced_motion_check',
  label: 'Reduced motion',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'For people who ask their system for less motion, the ad shows its last image at once. An ad that moves and asks for their wish (prefers-reduced-motion) is run once more with it, until it should have changed twice after its first second; one that does not ask moves for them as for everybody. Never more than a warning.',
  severity: 'advisory',
  confidence:
    'By how many of the changes that were seen without the wish, or in spite of it, would have to be something else, 0.9 each: 0.9 for one, 0.99 for two and more. An ad that never moves: 0.99 where nothing was planned or running any more, 0.9 where a script ran on. Moving without asking: 1, as it was seen to move and every file was searched; 0.7 where libraries of other servers may ask.',
  thresholds: z.strictObject({
    required: z.boolean().default(false).meta({
      title: 'Less motion where people ask for it',
      source: 'Not asked unless set; WCAG 2.2, 2.3.3 (AAA) and technique C39',
    }),
  }),
  run({ measures: { banner }, name }, { required }) {
    if (!required) return skip('Nothing is set of reduced motion.')
    const { motion, reducedMotion, lessMotion, start } = banner
    const standard = 'WCAG 2.2, 2.3.3 Animation from Interactions; technique C39'
    if (banner.ended !== 'watched' || !motion) return { failed: 'the ad did not live long enough to be watched' }
    if (motion.changes === 0)
      return pass('The ad does not move.', {
        measured: 'rests',
        standard,
        confidence: isOver(banner) ? 0.99 : OF_A_CHANGE,
      })
    if (reducedMotion === undefined)
      return { failed: 'the ad could not be run with reduced motion, or was run by an earlier version' }
    const extras = { measured: reducedMotion, expected: 'rests', standard }
    if (reducedMotion === 'rests')
      return pass('The ad rests for people who ask for less motion.', {
        ...extras,
        confidence: sureOf(lessMotion?.without),
      })
    const fix = `In the style sheet of “${start}” of “${name}”, show the last image without animation: @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important } }, and ask matchMedia('(prefers-reduced-motion: reduce)').matches before scripts move anything.`
    if (reducedMotion === 'moves')
      return warn('The ad still moves for people who ask for less motion.', {
        ...extras,
        confidence: sureOf(lessMotion?.changes),
        fix,
      })
    return warn('The ad moves for people who ask for less motion: none of its files asks for their wish.', {
      ...extras,
      confidence: lacksLibraries(banner) ? 0.7 : 1,
      fix,
    })
  },
})

const sureOf = (changes = 1) => countConfidence(Math.max(1, changes), OF_A_CHANGE)
