import { describe, expect, test } from 'vitest'
import { binsOf, calibrationError, wilson } from './statistics'

describe('the interval of a share', () => {
  // Newcombe (1998), table I: Wilson score without continuity correction.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i', (hits, total, low, high) => {
    const interval = wilson(hits, total)
    expect(interval?.low).toBeCloseTo(low, 4)
    expect(interval?.high).toBeCloseTo(high, 4)
  })

  test('of all is the mirror of none', () => {
    expect(wilson(20, 20)?.low).toBeCloseTo(1 - 0.1611, 4)
    expect(wilson(20, 20)?.high).toBe(1)
  })

  test('of nothing there is none', () => expect(wilson(0, 0)).toBeNull())
})

describe('calibration', () => {
  const sure = (confidence: number, right: number, wrong: number) => [
    ...Array.from({ length: right }, () => ({ confidence, isRight: true })),
    ...Array.from({ length: wrong }, () => ({ confidence, isRight: false })),
  ]

  test('is 0 where as many are right as was said', () => {
    expect(calibrationError([...sure(0.75, 3, 1), ...sure(1, 5, 0)])).toBeCloseTo(0)
  })

  test('is weighed by files', () => {
    // 4 files half right at 0.95, 12 files all right at 0.75: (4 × 0.45 + 12 × 0.25) / 16.
    expect(calibrationError([...sure(0.95, 2, 2), ...sure(0.75, 12, 0)])).toBeCloseTo(0.3)
  })

  test('1 stands in the last bin, a border in the upper one', () => {
    expect(binsOf([...sure(1, 1, 0), ...sure(0.9, 0, 1), ...sure(0.5, 1, 0)])).toEqual([
      { from: 0.5, to: 0.6, files: 1, confidence: 0.5, hits: 1 },
      { from: 0.9, to: 1, files: 2, confidence: 0.95, hits: 0.5 },
    ])
  })

  test('of nothing there is none', () => expect(calibrationError([])).toBeNull())
})
