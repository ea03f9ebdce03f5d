import { describe, expect, it } from 'vitest'
import type { MediaCategory } from '@/lib/domain/settings/schema'
import { bodyOf, valuesOf, withCheck } from './category-values'
import { readThreshold, writeThreshold } from './threshold-text'

const category: MediaCategory = {
  id: '01890000-0000-7000-8000-000000000000',
  name: 'Banners',
  naming_template: '{title}.{ext}',
  media_types: ['image/png'],
  destinations: [],
  max_file_size: 150_000,
  pre_qc: { enabled: true, checks: { dimension_check: { thresholds: { sizes: ['300x250'] } } } },
  profile_version: 2,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

describe('the form of a media category', () => {
  it('sends back what it was given', () => {
    const { name, naming_template, media_types, max_file_size, destinations, pre_qc } = category
    const full = { ...pre_qc, depth: 'full', confidence_floor: 0.8 }
    expect(bodyOf(valuesOf(category))).toEqual({
      name,
      naming_template,
      media_types,
      max_file_size,
      destinations,
      pre_qc: full,
    })
    const quick = { ...pre_qc, depth: 'quick', confidence_floor: 0.9 } as const
    expect(bodyOf(valuesOf({ ...category, pre_qc: quick })).pre_qc).toEqual(quick)
  })

  it('says how videos are read also where that was never said, so that a form just filled has no changes', () => {
    expect(valuesOf(category).pre_qc.depth).toBe('full')
    expect(valuesOf().pre_qc.depth).toBe('full')
  })

  it.each([
    [1, '0.001', 'kB'],
    [150_000, '150', 'kB'],
    [1_500_000, '1.5', 'MB'],
    [1_234_567, '1234.567', 'kB'],
    [2_000_000_000, '2', 'GB'],
  ])('says %i bytes as %s %s, and means the same', (max_file_size, text, unit) => {
    const values = valuesOf({ ...category, max_file_size })
    expect(values).toMatchObject({ max_file_size: text, max_file_size_unit: unit })
    expect(bodyOf(values).max_file_size).toBe(max_file_size)
  })

  it('asks for nothing where nothing was typed', () => {
    expect(bodyOf({ ...valuesOf(), name: 'Clips' })).toEqual({
      name: 'Clips',
      naming_template: null,
      media_types: [],
      max_file_size: null,
      destinations: [],
      pre_qc: { enabled: true, depth: 'full', confidence_floor: 0.8, checks: {} },
    })
  })
})

describe('the settings of a check', () => {
  const check = { id: 'dimension_check', isEnabled: true, isBlocking: true }

  it('are stored only where they differ from its defaults', () => {
    expect(withCheck({}, check, { enabled: false })).toEqual({ dimension_check: { enabled: false } })
    expect(withCheck({ dimension_check: { enabled: false } }, check, { enabled: true })).toEqual({})
    expect(withCheck({}, check, { severity: 'fail' })).toEqual({})
    expect(withCheck({}, check, { severity: 'warning' })).toEqual({ dimension_check: { severity: 'warning' } })
    const announced = withCheck({}, check, { fails_from: '2027-01-01' })
    expect(announced).toEqual({ dimension_check: { fails_from: '2027-01-01' } })
    expect(withCheck(announced, check, { enabled: true })).toEqual(announced)
    expect(withCheck(announced, check, { severity: 'fail', fails_from: undefined })).toEqual({})
    const wide = withCheck({ blank_check: { enabled: false } }, check, { thresholds: { min_width: 300 } })
    expect(wide).toEqual({ blank_check: { enabled: false }, dimension_check: { thresholds: { min_width: 300 } } })
    expect(withCheck(wide, check, { thresholds: { min_width: undefined } })).toEqual({
      blank_check: { enabled: false },
    })
  })
})

describe('a threshold as text', () => {
  it.each([
    ['number', '300', 300],
    ['number', '', undefined],
    ['number', 'wide', 'wide'],
    ['numbers', '23.976, 25', [23.976, 25]],
    ['list', '300x250, 728x90', ['300x250', '728x90']],
    ['map', '300x250 = 150000\n728x90 = 200000', { '300x250': 150_000, '728x90': 200_000 }],
  ] as const)('%s: “%s” is read and written back', (shape, text, value) => {
    expect(readThreshold(shape, text)).toEqual(value)
    expect(writeThreshold(value)).toBe(text)
  })

  it('hands on what it cannot read, so that the server can say what is wrong with it', () => {
    expect(readThreshold('numbers', '25, fast')).toEqual([25, 'fast'])
    expect(readThreshold('map', '300x250')).toEqual({ '300x250': '' })
  })
})
