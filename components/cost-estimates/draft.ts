import { isCurrency, minorUnits } from '@/lib/currencies'
import { DEFAULT_CURRENCY, type Estimate } from '@/lib/domain/cost-estimates/schema'
import { decimalOf, type Totals, totalsOf } from '@/lib/domain/kernel/money'
import type { LineUnit } from '@/lib/vocabulary'

/** An estimate as it is being typed: numbers are text until they are one. */
export type DraftLine = {
  key: string
  description: string
  quantity: string
  unitPrice: string
  unit: LineUnit | ''
  isOption: boolean
}
export type Draft = {
  title: string
  currency: string
  taxRate: string
  discountType: 'none' | 'percent' | 'amount'
  discountValue: string
  validUntil: string
  notes: string
  lines: DraftLine[]
}

let made = 0
export const emptyLine = (): DraftLine => ({
  key: `line-${++made}`,
  description: '',
  quantity: '1',
  unitPrice: '',
  unit: '',
  isOption: false,
})

export const emptyDraft = (): Draft => ({
  title: '',
  currency: DEFAULT_CURRENCY,
  taxRate: '0',
  discountType: 'none',
  discountValue: '',
  validUntil: '',
  notes: '',
  lines: [emptyLine()],
})

export const draftOf = (estimate: Estimate): Draft => ({
  title: estimate.title,
  currency: estimate.currency,
  taxRate: String(estimate.tax_rate),
  discountType: estimate.discount?.type ?? 'none',
  discountValue: estimate.discount ? String(estimate.discount.value) : '',
  validUntil: estimate.valid_until ?? '',
  notes: estimate.notes ?? '',
  lines: estimate.line_items.map((line) => ({
    ...emptyLine(),
    description: line.description,
    quantity: String(line.quantity),
    unitPrice: priceText(String(line.unit_price), estimate.currency),
    unit: line.unit ?? '',
    isOption: line.optional,
  })),
})

/** A number as people type it, in either notation (`1,234.50`, `1.234,50`, `1 234,5`); null when it is none. */
export function numberFrom(text: string): number | null {
  const compact = text.replace(/[\s\u00a0\u202f']/g, '').replace(/[€$£¥]/g, '')
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
  const value = numberFrom(text)
  const decimal = value === null ? null : decimalOf(value)
  if (decimal === null) return text
  const digits = isCurrency(currency) ? minorUnits(currency) : 2
  const [whole = '', fraction = ''] = decimal.split('.')
  const padded = fraction.padEnd(digits, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** The draft in another currency: the same figures, written as that one writes them. */
export const inCurrency = (draft: Draft, currency: string): Draft => ({
  ...draft,
  currency,
  lines: draft.lines.map((line) => ({ ...line, unitPrice: priceText(line.unitPrice, currency) })),
})

const isBlank = (line: DraftLine) => line.description.trim() === '' && line.unitPrice.trim() === ''

/** The request this draft becomes. Lines nobody wrote anything into are left out; what is no number is sent as typed, for the server to name. */
export function requestOf(draft: Draft) {
  const number = (text: string) => numberFrom(text) ?? text
  return {
    title: draft.title,
    currency: draft.currency,
    tax_rate: number(draft.taxRate || '0'),
    discount: draft.discountType === 'none' ? null : { type: draft.discountType, value: number(draft.discountValue) },
    valid_until: draft.validUntil || null,
    notes: draft.notes || null,
    line_items: draft.lines
      .filter((line) => !isBlank(line))
      .map((line) => ({
        description: line.description,
        quantity: number(line.quantity),
        unit_price: number(line.unitPrice),
        unit: line.unit || null,
        optional: line.isOption,
      })),
  }
}

/** Where a line of the request stands in the table, as blank ones are left out. */
export const rowOfItem = (draft: Draft, item: number): number =>
  draft.lines.flatMap((line, index) => (isBlank(line) ? [] : [index]))[item] ?? -1

/** The sums as the server will compute them, by the same function; what is no number yet counts as nothing. */
export function totalsOfDraft(draft: Draft): Totals {
  const decimal = (text: string) => decimalOf(numberFrom(text) ?? 0) ?? '0'
  return totalsOf(
    draft.lines.map((line) => ({ quantity: decimal(line.quantity), unitPrice: decimal(line.unitPrice) })),
    {
      currency: isCurrency(draft.currency) ? draft.currency : DEFAULT_CURRENCY,
      taxRate: decimal(draft.taxRate),
      discount:
        draft.discountType === 'none' ? null : { type: draft.discountType, value: decimal(draft.discountValue) },
    },
  )
}

/** Rows copied from a spreadsheet: description, quantity, unit price, with tabs between; a head row is left out. */
export function linesFrom(pasted: string): DraftLine[] {
  return pasted
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((row) => row.split('\t').map((cell) => cell.trim()))
    .filter((cells) => cells.some((cell) => cell !== ''))
    .filter((cells, index) => index > 0 || cells.length < 2 || cells.slice(1).some((cell) => numberFrom(cell) !== null))
    .map(([description = '', second = '', third]) => ({
      ...emptyLine(),
      description,
      quantity: third === undefined ? '1' : second,
      unitPrice: third ?? second,
    }))
}
