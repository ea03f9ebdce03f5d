import { describe, expect, it } from 'vitest'
import type { AgencyMetrics } from '@/lib/domain/analytics/schema'
import { sorted } from './agency-table'
import { duration, share, stretch } from './wording'

const row = (name: string, pass_rate: number | null, files_checked = 1) =>
  ({
    agency: { id: name, name },
    pass_rate,
    files_checked,
    median_hours: { agency: null, review: null },
  }) as AgencyMetrics

describe('agencies in a table', () => {
  const rows = [row('Beta', 0.5), row('alpha', null, 0), row('Gamma', 1), row('Delta', 0.5)]
  const names = (...order: Parameters<typeof sorted> extends [unknown, ...infer Rest] ? Rest : never) =>
    sorted(rows, ...order).map(({ agency }) => agency.name)

  it('stand by a metric, equal ones by name, those without one last either way', () => {
    expect(names('pass_rate', 'asc')).toEqual(['Beta', 'Delta', 'Gamma', 'alpha'])
    expect(names('pass_rate', 'desc')).toEqual(['Gamma', 'Beta', 'Delta', 'alpha'])
  })

  it('stand by name whatever its case', () => {
    expect(names('agency', 'asc')).toEqual(['alpha', 'Beta', 'Delta', 'Gamma'])
  })
})

describe('numbers in words', () => {
  it('say hours as people do, and nothing where there is none', () => {
    expect([0, 0.5, 8.24, 37, 71.9, 72, 150].map(duration)).toEqual([
      '0 min',
      '30 min',
      '8.2 h',
      '37 h',
      '72 h',
      '3 days',
      '6.3 days',
    ])
    expect([duration(null), share(null)]).toEqual(['–', '–'])
  })

  it('never round a rate up to all or down to none', () => {
    expect([share(0.999), share(0.001), share(1), share(0)]).toEqual(['99%', '1%', '100%', '0%'])
  })

  it('name a stretch of time', () => {
    expect(stretch('2026-06-08', 'week')).toBe('8 Jun to 14 Jun 2026')
    expect(stretch('2026-06-01', 'month')).toBe('Jun 2026')
    expect(stretch('2026-06-08', 'day')).toBe('8 Jun 2026')
  })
})
