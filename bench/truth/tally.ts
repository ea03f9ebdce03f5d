import type { Evaluated } from '../labelled/evaluate'
import { calibrationError, type Interval, wilson } from './statistics'

/** What a check said of the files with a known outcome, counted. */

export type Outcome = Pick<Evaluated, 'verdict' | 'confidence'> & { isFaulty: boolean }

export type Tally = {
  good: number
  bad: number
  misses: number
  falseAlarms: number
  /** Files the check said nothing of; of a faulty one that counts against recall, too. */
  unevaluated: number
  /** Of the accused files those that are faulty; null where none was accused. */
  precision: { share: number; interval: Interval } | null
  /** Of the faulty files those that were accused. */
  recall: { share: number; interval: Interval } | null
  /** Over the files with a verdict. */
  calibration: number | null
}

export function tallyOf(outcomes: readonly Outcome[]): Tally {
  const number = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length
  const found = number(({ isFaulty, verdict }) => isFaulty && verdict === 'right')
  const falseAlarms = number(({ verdict }) => verdict === 'false alarm')
  const bad = number(({ isFaulty }) => isFaulty)
  const said = outcomes.filter(({ verdict }) => verdict !== 'unevaluated')
  return {
    good: outcomes.length - bad,
    bad,
    misses: number(({ verdict }) => verdict === 'miss'),
    falseAlarms,
    unevaluated: outcomes.length - said.length,
    precision: shareOf(found, found + falseAlarms),
    recall: shareOf(found, bad),
    calibration: calibrationError(
      said.map(({ confidence, verdict }) => ({ confidence, isRight: verdict === 'right' })),
    ),
  }
}

function shareOf(hits: number, total: number): Tally['recall'] {
  const interval = wilson(hits, total)
  return interval && { share: hits / total, interval }
}
