import { isCurrency } from '@/lib/currencies'
import { DEFAULT_CURRENCY, type Estimate } from '@/lib/domain/cost-estimates/schema'
import { decimalOf, type Totals, totalsOf } from '@/lib/domain/kernel/money'
import type { LineUnit } from '@/lib/vocabulary'
import { currencyIn, numberFrom, priceText } from './typed-numbers'

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

/** The draft in another currency: the same numbers, written as that one writes them. */
export const inCurrency = (draft: Draft, currency: string): Draft => ({
  ...draft,
  currency,
  lines: draft.lines.map((line) => ({ ...line, unitPrice: priceText(line.unitPrice, currency) })),
})

const isBlank = (line: DraftLine) => line.description.trim() === '' && line.unitPrice.trim() === ''

/** What is no number is sent as typed all the same, for the server to name. */
const sentAsTyped = (text: string) => text as unknown as number

/** The request this draft becomes. Empty lines are left out. */
export function requestOf(draft: Draft) {
  return {
    title: draft.title,
    currency: draft.currency,
    tax_rate: numberOrText(draft.taxRate || '0'),
    discount:
      draft.discountType === 'none'
        ? null
        : { type: draft.discountType, value: numberOrText(draft.discountValue, draft.currency) },
    valid_until: draft.validUntil || null,
    notes: draft.notes || null,
    line_items: draft.lines.filter((line) => !isBlank(line)).map((line) => itemOf(line, draft.currency)),
  }
}
export type EstimateRequest = ReturnType<typeof requestOf>
type Item = { description: string; quantity: number; unit_price: number; unit: LineUnit | null; optional: boolean }

const numberOrText = (text: string, currency?: string) => numberFrom(text, currency) ?? sentAsTyped(text)

/** Lines are replaced, never changed: the item made of one is kept, as each key typed asks for those of every line. */
const items = new WeakMap<DraftLine, { currency: string; item: Item }>()

function itemOf(line: DraftLine, currency: string): Item {
  const known = items.get(line)
  if (known?.currency === currency) return known.item
  const item = {
    description: line.description,
    quantity: numberOrText(line.quantity),
    unit_price: numberOrText(line.unitPrice, currency),
    unit: line.unit || null,
    optional: line.isOption,
  }
  items.set(line, { currency, item })
  return item
}

/** Whether two requests save the same. Items are compared by identity first: all but one are the same object. */
export function isSameRequest(one: EstimateRequest, other: EstimateRequest): boolean {
  const { line_items: lines, ...head } = one
  const { line_items: otherLines, ...otherHead } = other
  return (
    lines.length === otherLines.length &&
    lines.every((item, row) => item === otherLines[row] || isSameJson(item, otherLines[row])) &&
    isSameJson(head, otherHead)
  )
}

export const isSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Where a line of the request stands in the table, as blank ones are left out. */
export const rowOfItem = (draft: Draft, item: number): number =>
  draft.lines.flatMap((line, index) => (isBlank(line) ? [] : [index]))[item] ?? -1

/** Whether two drafts come to the same sums, whatever else was typed. */
export const isPricedAlike = (one: Draft, other: Draft): boolean =>
  one.currency === other.currency &&
  one.taxRate === other.taxRate &&
  one.discountType === other.discountType &&
  one.discountValue === other.discountValue &&
  one.lines.length === other.lines.length &&
  one.lines.every(
    (line, row) =>
      line === other.lines[row] ||
      (line.quantity === other.lines[row]?.quantity && line.unitPrice === other.lines[row]?.unitPrice),
  )

/** Prices that are written in another currency than the estimate's, with what they were read as: they were not converted. */
export function foreignPrices({ lines, currency }: Draft) {
  return lines.flatMap(({ unitPrice }, row) => {
    const found = currencyIn(unitPrice)
    return found && !found.currencies.includes(currency) ? [{ ...found, row, text: unitPrice.trim() }] : []
  })
}

/** The draft with the signs of other currencies taken away: the prices are meant in its own. */
export const withoutForeignSigns = (draft: Draft): Draft => ({
  ...draft,
  lines: draft.lines.map((line) => {
    const found = currencyIn(line.unitPrice)
    if (!found || found.currencies.includes(draft.currency)) return line
    const value = numberFrom(line.unitPrice, found.currencies[0])
    return value === null ? line : { ...line, unitPrice: priceText(String(value), draft.currency) }
  }),
})

/** Lines are replaced, never changed: what was read of one stays true. */
const read = new WeakMap<DraftLine, { currency: string; quantity: string; unitPrice: string }>()

function numbersOf(line: DraftLine, currency: string) {
  const known = read.get(line)
  if (known?.currency === currency) return known
  const numbers = {
    currency,
    quantity: decimalOf(numberFrom(line.quantity) ?? 0) ?? '0',
    unitPrice: decimalOf(numberFrom(line.unitPrice, currency) ?? 0) ?? '0',
  }
  read.set(line, numbers)
  return numbers
}

/** The sums as the server will compute them, by the same function; what is no number yet counts as nothing. */
export function totalsOfDraft(draft: Draft): Totals {
  const decimal = (text: string) => decimalOf(numberFrom(text, draft.currency) ?? 0) ?? '0'
  return totalsOf(
    draft.lines.map((line) => numbersOf(line, draft.currency)),
    {
      currency: isCurrency(draft.currency) ? draft.currency : DEFAULT_CURRENCY,
      taxRate: decimal(draft.taxRate),
      discount:
        draft.discountType === 'none' ? null : { type: draft.discountType, value: decimal(draft.discountValue) },
    },
  )
}
