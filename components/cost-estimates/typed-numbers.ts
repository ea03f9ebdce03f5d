import { isCurrency, minorUnits } from '@/lib/currencies'
import { decimalOf } from '@/lib/domain/kernel/money'

/** Numbers and prices as people type and paste them. */

/** Signs and short words for currencies, with the currencies they may stand for, the likeliest first. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN', 'TWD', 'CLP', 'COP', 'ARS', 'XCD'],
  us$: ['USD'],
  ca$: ['CAD'],
  c$: ['CAD'],
  a$: ['AUD'],
  au$: ['AUD'],
  nz$: ['NZD'],
  hk$: ['HKD'],
  s$: ['SGD'],
  mx$: ['MXN'],
  nt$: ['TWD'],
  r$: ['BRL'],
  '£': ['GBP', 'EGP', 'GIP', 'FKP', 'SHP'],
  '¥': ['JPY', 'CNY'],
  'jp¥': ['JPY'],
  'cn¥': ['CNY'],
  円: ['JPY'],
  元: ['CNY'],
  '₹': ['INR'],
  '₩': ['KRW'],
  '₪': ['ILS'],
  '₫': ['VND'],
  '₱': ['PHP'],
  '₺': ['TRY'],
  '₽': ['RUB'],
  '₴': ['UAH'],
  zł: ['PLN'],
  kč: ['CZK'],
  ft: ['HUF'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  fr: ['CHF'],
  sfr: ['CHF'],
}

/** What stands beside the number: `$`, `EUR`, `kr`; empty where there is nothing else. */
const markOf = (text: string): string => text.replace(/[\d\s.,'’+\-−]/g, '')

/** A number with the sign or the code of a currency, and the currencies that may be meant; null for anything else. */
export function currencyIn(text: string): { mark: string; currencies: readonly string[] } | null {
  const mark = markOf(text)
  if (mark === '' || !/\d/.test(text)) return null
  const code = mark.toUpperCase()
  const currencies = isCurrency(code) ? [code] : (MARKS[mark.toLowerCase()] ?? [])
  return currencies.length > 0 ? { mark, currencies } : null
}

/** Whether the text is a number, with a currency or without. */
export const isNumber = (text: string): boolean => numberFrom(text, currencyIn(text)?.currencies[0]) !== null

/**
 * A number as people type it, in either notation (`1,234.50`, `1.234,50`, `1 234,5`), with the sign or code of `currency`
 * or without; null when it is none, and when it is in another currency.
 */
export function numberFrom(text: string, currency?: string): number | null {
  const found = currencyIn(text)
  if (found ? !currency || !found.currencies.includes(currency) : markOf(text) !== '') return null
  const compact = text
    .replace(/[^\d\s.,'’+\-−]+\.?/g, '')
    .replace(/[\s'’]/g, '')
    .replace('−', '-')
  if (compact === '') return null
  const comma = compact.lastIndexOf(',')
  const point = compact.lastIndexOf('.')
  const plain =
    comma > -1 && point > -1
      ? comma > point
        ? compact.replaceAll('.', '').replace(',', '.')
        : compact.replaceAll(',', '')
      : comma > -1 && !/^-?\d{1,3}(,\d{3})+$/.test(compact)
        ? compact.replace(',', '.')
        : compact.replaceAll(',', '')
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null
}

/** A unit price as the currency writes it: EUR `45.00`, JPY `45`, KWD `45.000`, finer ones as they are. What is no number stays. */
export function priceText(text: string, currency: string): string {
  const value = numberFrom(text, currency)
  const decimal = value === null ? null : decimalOf(value)
  if (decimal === null) return text
  const digits = isCurrency(currency) ? minorUnits(currency) : 2
  const [whole = '', fraction = ''] = decimal.split('.')
  const padded = fraction.padEnd(digits, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}
