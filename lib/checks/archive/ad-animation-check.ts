import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { confidenceBetween, countConfidence } from '../confidence'
import { count, decimal, seconds, verb } from '../wording'
import { isOver, notAnAd } from './start-document'

/** Between two samples something may have changed and come to rest. */
const TOLERANCE_SECONDS = 0.5
/** Several screenshots are taken within it, on a slow machine, too. */
const CERTAIN_SECONDS = 2

export const adAnimationCheck = mediaCheck({
  id: 'ad_animation_check',
  label: 'Animation of the ad',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'When the running ad changes for the last time after it has loaded, by screenshots taken two or three times a second, and how often its longest CSS animation repeats. Rounds that a script drives are counted by the states to which it brings an element back; what it draws on a canvas, or never in the same state again, is not counted: where a number of rounds is wanted and none can be counted, an ad that moves is reported for a person to watch.',
  severity: 'blocking',
  confidence:
    'A pass 0.85, as what changes and changes back between two screenshots is not seen; 0.95 where nothing was planned or running any more when the limit came. A fail: 0.85 at the limit, rising to 1 for a change seen two seconds after it, when several screenshots lie between. 1 for the rounds of a CSS animation; each state beyond the first to which a script brings the ad back so often is a step of a round with 0.7, as a script may bring back a part and not the whole: 0.7 for two states, as of what blinks, 0.91 for three; 0.5 where rounds are limited and a script may drive them.',
  thresholds: z.strictObject({
    max_seconds: z.number().positive().nullable().default(30).meta({
      title: 'Longest animation, all rounds together',
      unit: 's',
      source: 'IAB New Ad Portfolio (2017): 30 s at most; many publishers ask for 15 s',
    }),
    max_rounds: z.number().int().positive().nullable().default(null).meta({
      title: 'Most rounds',
      source: 'Reasoned: none unless set; publishers that limit them allow 3',
    }),
  }),
  run({ measures: { banner } }, { max_seconds, max_rounds }) {
    const { motion } = banner
    if (!motion || banner.ended !== 'watched') return { failed: 'the ad did not live long enough to be watched' }
    const standard = 'IAB New Ad Portfolio (2017), animation'
    const { lastChangeSeconds: last, isMoving, rounds } = motion
    const fix = `In “${banner.start}”, end the animation on its last frame: a count instead of infinite in animation-iteration-count, no repeat: -1, and a stop by setTimeout${max_seconds ? ` before ${seconds(max_seconds)}` : ''}.`
    if (max_rounds !== null && rounds !== undefined && (rounds === null || rounds > max_rounds)) {
      return fail(
        `A CSS animation repeats ${rounds === null ? 'without end' : count(rounds, 'time')}; at most ${count(max_rounds, 'round')} ${verb(max_rounds, 'is', 'are')} wanted.`,
        { measured: rounds ?? 'endless', expected: max_rounds, unit: 'rounds', standard, fix },
      )
    }
    const { scriptRounds, scriptSteps } = motion
    if (max_rounds !== null && scriptRounds !== undefined && scriptRounds > max_rounds && motion.changes > 0) {
      return fail(
        `A script brings the ad to the same state ${count(scriptRounds, 'time')}; at most ${count(max_rounds, 'round')} ${verb(max_rounds, 'is', 'are')} wanted.`,
        {
          measured: scriptRounds,
          expected: max_rounds,
          unit: 'rounds',
          standard,
          confidence: countConfidence(Math.max(1, (scriptSteps ?? 0) - 1), 0.7),
          fix,
        },
      )
    }
    const isUncounted = max_rounds !== null && rounds === undefined && (scriptRounds ?? 1) < 2 && motion.changes > 0
    const extras = {
      measured: Number(decimal(last, 1)),
      unit: 's',
      standard,
      confidence: isUncounted ? 0.5 : 0.85,
    }
    /** What a script repeats looks like what it does once. */
    const uncounted = isUncounted
      ? ` What a script repeats without coming back to the same state is not counted: watch that there are no more than ${max_rounds}.`
      : ''
    if (isMoving) {
      const said = `The ad is still moving after ${decimal(banner.watchedSeconds, 0)} s`
      if (max_seconds === null) return pass(`${said}; no length is set.${uncounted}`, extras)
      if (max_seconds + TOLERANCE_SECONDS > banner.watchedSeconds)
        return { failed: `the ad was watched for ${decimal(banner.watchedSeconds, 0)} s only, and was still moving` }
      return fail(`${said}; it should rest after ${seconds(max_seconds)}.`, {
        ...extras,
        expected: max_seconds,
        confidence: afterLimit(last, max_seconds),
        fix,
      })
    }
    const said = motion.changes === 0 ? 'The ad does not move' : `The ad comes to rest after ${decimal(last, 1)} s`
    if (max_seconds === null) return pass(`${said}; no length is set.${uncounted}`, extras)
    const wanted = { ...extras, expected: max_seconds }
    if (last <= max_seconds + TOLERANCE_SECONDS) {
      return pass(`${said}; at most ${seconds(max_seconds)} are wanted.${uncounted}`, {
        ...wanted,
        ...(isOver(banner, max_seconds) && !isUncounted && { confidence: 0.95 }),
      })
    }
    return fail(`${said}; at most ${seconds(max_seconds)} are wanted.`, {
      ...wanted,
      confidence: afterLimit(last, max_seconds),
      fix,
    })
  },
})

/** How sure it is that a change seen at `last` came after the limit. */
const afterLimit = (last: number, limit: number) => confidenceBetween((last - limit) / CERTAIN_SECONDS, 0.85, 1)
