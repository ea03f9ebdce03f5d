import { expect, test } from 'vitest'
import { type Outcome, tallyOf } from './tally'

const outcomes = (amount: number, outcome: Outcome): Outcome[] => Array.from({ length: amount }, () => outcome)

test('misses, false alarms and files without a verdict are counted on their own', () => {
  const tally = tallyOf([
    ...outcomes(6, { isFaulty: true, verdict: 'right', confidence: 1 }),
    ...outcomes(1, { isFaulty: true, verdict: 'miss', confidence: 1 }),
    ...outcomes(1, { isFaulty: true, verdict: 'unevaluated', confidence: 0 }),
    ...outcomes(10, { isFaulty: false, verdict: 'right', confidence: 1 }),
    ...outcomes(2, { isFaulty: false, verdict: 'false alarm', confidence: 0.5 }),
  ])
  expect(tally).toMatchObject({ good: 12, bad: 8, misses: 1, falseAlarms: 2, unevaluated: 1 })
  expect(tally.precision?.share).toBe(6 / 8)
  // A fault of which nothing was said was not found.
  expect(tally.recall?.share).toBe(6 / 8)
  expect(tally.recall?.interval.low).toBeCloseTo(0.4093, 4)
  expect(tally.recall?.interval.high).toBeCloseTo(0.9285, 4)
  // 17 files at 1, one of them wrong; 2 at 0.5, both wrong.
  expect(tally.calibration).toBeCloseTo((17 * (1 / 17) + 2 * 0.5) / 19)
})

test('where nothing was accused there is no precision', () => {
  const tally = tallyOf(outcomes(3, { isFaulty: false, verdict: 'right', confidence: 1 }))
  expect(tally).toMatchObject({ precision: null, recall: null, calibration: 0 })
})
