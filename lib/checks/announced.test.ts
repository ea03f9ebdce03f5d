import { describe, expect, it } from 'vitest'
import { evaluateOn, hasBegun, settingsOn } from './announced'
import { imageFacts, subject } from './testing'

const wide = {
  dimension_check: { severity: 'fail' as const, fails_from: '2026-12-01', thresholds: { min_width: 500 } },
}
const small = subject(imageFacts({ width: 300, height: 250 }))
const lineOn = (day: string, checks: Parameters<typeof settingsOn>[0] = wide) =>
  evaluateOn(small, { checks }, day).checks.find(({ check_id }) => check_id === 'dimension_check')

describe('an announced rule', () => {
  it('warns until its day and says from when it fails', () => {
    expect(lineOn('2026-11-30')).toMatchObject({ status: 'warning', severity: 'advisory' })
    expect(lineOn('2026-11-30')?.details).toContain('Announced: from 2026-12-01 on this fails.')
  })

  it('fails from that day on, without a word of the announcement', () => {
    expect(lineOn('2026-12-01')).toMatchObject({ status: 'fail', severity: 'blocking' })
    expect(lineOn('2026-12-01')?.details).not.toContain('Announced')
  })

  it('wins over the severity, so that what only warns today can be announced as a fail', () => {
    const checks = { dimension_check: { ...wide.dimension_check, severity: 'warning' as const } }
    expect(lineOn('2027-01-01', checks)?.status).toBe('fail')
  })

  it('says nothing where the file keeps it already', () => {
    const checks = { dimension_check: { fails_from: '2026-12-01', thresholds: { min_width: 100 } } }
    expect(lineOn('2026-11-30', checks)).toMatchObject({ status: 'pass' })
    expect(lineOn('2026-11-30', checks)?.details).not.toContain('Announced')
  })

  it('leaves checks without an announcement as they are', () => {
    const checks = { blank_check: { severity: 'warning' as const } }
    expect(settingsOn(checks, '2026-12-01')).toEqual(checks)
  })

  it('makes a result old on the day it begins to hold, and not again after', () => {
    expect(hasBegun(wide, '2026-11-30', '2026-12-01')).toBe(true)
    expect(hasBegun(wide, '2026-11-01', '2026-11-30')).toBe(false)
    expect(hasBegun(wide, '2026-12-01', '2027-01-01')).toBe(false)
    expect(hasBegun({}, '2026-11-30', '2026-12-01')).toBe(false)
  })
})
