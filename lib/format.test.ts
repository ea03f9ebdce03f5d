import { describe, expect, it } from 'vitest'
import { formatMoney } from './currencies'
import {
  formatBytes,
  formatCount,
  formatDate,
  formatDateTime,
  formatDayMonth,
  formatDecimal,
  formatDuration,
  formatLongDate,
  formatMonth,
  formatPercent,
  formatRelative,
  formatTimeLeft,
  initials,
} from './format'

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [4_210_000, '4.2 MB'],
    [149_600, '150 kB'],
    [999_499, '999 kB'],
    [999_950, '1 MB'],
    [10 * 1024 ** 3, '10.7 GB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
})

describe('shares', () => {
  it.each([
    [0, 0, '0%'],
    [1, 0, '100%'],
    [0.9999, 0, '99%'],
    [0.9999, 1, '99.9%'],
    [0.0001, 0, '1%'],
    [0.941, 1, '94.1%'],
  ])('never rounds %d (%d decimals) to all or nothing', (share, decimals, text) =>
    expect(formatPercent(share, decimals)).toBe(text),
  )
})

describe('times', () => {
  const now = Date.parse('2026-05-12T12:00:00Z')
  it.each([
    ['2026-05-12T11:59:50Z', 'just now'],
    ['2026-05-12T11:59:00Z', '1 minute ago'],
    ['2026-05-12T11:16:00Z', '44 minutes ago'],
    ['2026-05-12T11:10:00Z', '1 hour ago'],
    ['2026-05-11T12:00:00Z', 'yesterday'],
    ['2026-05-05T12:00:00Z', 'last week'],
    ['2026-05-14T12:00:00Z', 'in 2 days'],
    ['2024-05-12T12:00:00Z', '2 years ago'],
  ])('says %s as "%s"', (time, text) => expect(formatRelative(Date.parse(time), now)).toBe(text))

  it('names the zone of an exact time', () => {
    expect(formatDateTime('2026-05-12T12:03:00Z')).toBe('12 May 2026, 12:03 UTC')
    expect(formatDateTime('2026-05-12T12:03:00Z', 'Europe/Prague')).toBe('12 May 2026, 14:03 UTC+2')
  })
  it.each([
    ['America/St_Johns', '12 May 2026, 09:33 UTC−2:30'],
    ['America/New_York', '12 May 2026, 08:03 UTC−4'],
    ['Asia/Kolkata', '12 May 2026, 17:33 UTC+5:30'],
    ['Pacific/Kiritimati', '13 May 2026, 02:03 UTC+14'],
    ['Africa/Abidjan', '12 May 2026, 12:03 UTC'],
  ])('says how far the clocks of %s are from UTC', (zone, text) =>
    expect(formatDateTime('2026-05-12T12:03:40.700Z', zone)).toBe(text),
  )
  it('shortens September as British English does', () => {
    expect(formatDate('2026-09-02')).toBe('2 Sept 2026')
    expect(formatDayMonth('2026-06-02')).toBe('2 Jun')
    expect(formatMonth('2026-09-01')).toBe('Sept 2026')
    expect(formatLongDate('2026-09-02T23:59:00Z')).toBe('2 September 2026')
  })
  it('keeps a plain date on its day', () => expect(formatDate('2026-05-12')).toBe('12 May 2026'))
  it.each([
    [30, '0:30'],
    [59.6, '1:00'],
    [3727, '1:02:07'],
  ])('writes a playing time of %d s as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text))
  it.each([
    [4, 'a few seconds left'],
    [42, 'about 40 s left'],
    [56, 'about 1 min left'],
    [125, 'about 2 min left'],
    [5400, 'about 1.5 h left'],
    [Number.POSITIVE_INFINITY, 'time left unknown'],
  ])('says %d s as "%s"', (seconds, text) => expect(formatTimeLeft(seconds)).toBe(text))
})

describe('words and money', () => {
  it('counts in the singular and the plural', () => {
    expect(formatCount(1, 'file')).toBe('1 file')
    expect(formatCount(1200, 'batch', 'batches')).toBe('1,200 batches')
  })
  it.each([
    [1.005, 2, 2, '1.01'],
    [-0.5, 0, 0, '−1'],
    [-0.4, 0, 0, '0'],
    ['99.995', 2, 2, '100.00'],
    ['0.00049', 3, 3, '0.000'],
    [1234567.1, 0, 4, '1,234,567.1'],
    [1e21, 0, 0, '1,000,000,000,000,000,000,000'],
    [1e-7, 2, 4, '0.00'],
    [12, 2, 0, '12.00'],
    [Number.NaN, 0, 0, 'NaN'],
  ])('writes %s with %d to %d digits as %s', (value, least, most, text) =>
    expect(formatDecimal(value, least, most)).toBe(text),
  )
  it('keeps every digit of an exact amount', () => {
    expect(formatMoney('1234.50', 'EUR')).toBe('€1,234.50')
    expect(formatMoney('90071992547409931.25', 'EUR')).toBe('€90,071,992,547,409,931.25')
    expect(formatMoney(1200, 'JPY')).toBe('JP¥1,200')
    expect(formatMoney(-20, 'EUR')).toBe('−€20.00')
    // What rounds to nothing has no sign.
    expect(formatMoney(-0.001, 'EUR')).toBe('€0.00')
    expect(formatMoney(-0, 'EUR')).toBe('€0.00')
    expect(formatMoney('-0.004', 'EUR')).toBe('€0.00')
  })
  it.each([
    ['Žofie Ódorová', 'ŽÓ'],
    ['maria', 'M'],
    ['Jean-Luc de la Tour', 'JT'],
    ['👩🏽‍🎨 Studio', '👩🏽‍🎨S'],
    ['  ', '?'],
  ])('takes the initials of "%s" as %s', (name, letters) => expect(initials(name)).toBe(letters))
})
