import { expect, test } from 'vitest'
import { PRESETS } from './presets'
import { explainChecks } from './settings'

test.each(PRESETS)('the preset “$label” names checks that exist and thresholds they take', ({ checks }) => {
  expect(explainChecks(checks)).toEqual([])
})
