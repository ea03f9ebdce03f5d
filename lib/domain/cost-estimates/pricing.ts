import { eq, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { costEstimateLines, costEstimateNumbers } from '@/db/schema/cost-estimates'
import { minorUnits } from '@/lib/currencies'
import { formatNumber } from '@/lib/format'
import { type FieldError, invalid } from '../kernel/errors'
import { type Discount, decimalOf, decimalsIn, isBeyond, totalsOf } from '../kernel/money'
import type { Tx } from '../kernel/operation'
import type { EstimateRow } from './find'
import { linesOf } from './queries'
import { type CreateEstimate, MAX_AMOUNT } from './schema'

/** What an estimate costs, as its rows keep it. */

const text = (value: number) => decimalOf(value) ?? '0'

type Priced = Pick<CreateEstimate, 'line_items' | 'discount'> & { currency: string; tax_rate: number }

/** The columns an estimate's prices fill, and its lines. @throws `validation_failed` where sums cannot be */
export function pricesOf(input: Priced, declined: ReadonlySet<number> = new Set()) {
  const lines = input.line_items.map((line, index) => ({
    description: line.description,
    quantity: text(line.quantity),
    unitPrice: text(line.unit_price),
    unit: line.unit ?? null,
    isOption: line.optional ?? false,
    isDeclined: declined.has(index),
  }))
  const discount: Discount | null = input.discount
    ? { type: input.discount.type, value: text(input.discount.value) }
    : null
  const errors: FieldError[] = []
  const digits = minorUnits(input.currency)
  if (discount?.type === 'amount' && decimalsIn(discount.value) > digits) {
    errors.push({
      path: 'discount.value',
      code: 'too_precise',
      message: `discount.value: ${input.currency} has ${digits} digits after the point; got “${discount.value}”.`,
    })
  }
  const totals = totalsOf(lines, { currency: input.currency, discount, taxRate: text(input.tax_rate) })
  totals.amounts.forEach((amount, index) => {
    if (isBeyond(amount, MAX_AMOUNT)) {
      errors.push({
        path: `line_items.${index}`,
        code: 'too_big',
        message: `line_items.${index}: ${lines[index]?.quantity} × ${lines[index]?.unitPrice} is more than an estimate can hold (${formatNumber(MAX_AMOUNT)}).`,
      })
    }
  })
  if (errors.length === 0 && [totals.subtotal, totals.total].some((sum) => isBeyond(sum, MAX_AMOUNT)))
    errors.push({
      path: 'line_items',
      code: 'too_big',
      message: `line_items: the sum ${totals.subtotal} is more than an estimate can hold (${formatNumber(MAX_AMOUNT)}).`,
    })
  if (discount?.type === 'amount' && Number(discount.value) > Math.max(0, Number(totals.subtotal)))
    errors.push({
      path: 'discount.value',
      code: 'too_big',
      message: `discount.value: ${discount.value} is more than the subtotal of ${totals.subtotal}.`,
    })
  if (errors.length > 0) throw invalid(errors)
  return {
    columns: {
      currency: input.currency,
      discountType: discount?.type ?? null,
      discountValue: discount?.value ?? null,
      taxRate: text(input.tax_rate),
      subtotal: totals.subtotal,
      discountAmount: totals.discountAmount,
      taxAmount: totals.taxAmount,
      total: totals.total,
    },
    lines: lines.map((line, index) => ({ ...line, position: index + 1, amount: totals.amounts[index] ?? '0' })),
  }
}

export async function writeLines(tx: Tx, estimateId: string, lines: ReturnType<typeof pricesOf>['lines']) {
  await tx.db.delete(costEstimateLines).where(eq(costEstimateLines.estimateId, estimateId))
  await tx.db.insert(costEstimateLines).values(lines.map((line) => ({ ...line, id: newId(tx.now), estimateId })))
}

export async function storedLines(tx: Tx, estimateId: string): Promise<CreateEstimate['line_items']> {
  return (await linesOf(tx, estimateId)).map((line) => ({
    description: line.description,
    quantity: Number(line.quantity),
    unit_price: Number(line.unitPrice),
    unit: line.unit,
    optional: line.isOption,
  }))
}

export const storedDiscount = ({ discountType, discountValue }: EstimateRow) =>
  discountType ? { type: discountType, value: Number(discountValue) } : null

/** Prices again with these options left out: what a client's choice makes of the total. Exported for the client's side. */
export async function priceWithout(tx: Tx, estimate: EstimateRow, declinedIds: ReadonlySet<string>) {
  const rows = await linesOf(tx, estimate.id)
  return pricesOf(
    {
      line_items: await storedLines(tx, estimate.id),
      currency: estimate.currency,
      discount: storedDiscount(estimate),
      tax_rate: Number(estimate.taxRate),
    },
    new Set(rows.flatMap((row, index) => (declinedIds.has(row.id) ? [index] : []))),
  )
}

/**
 * The number of a new estimate: the lowest one that a deleted draft gave back, else the next of the year. The transaction that creates
 * at the same time waits, so that the numbers of a year have no gaps.
 */
export async function takeNumber(tx: Tx): Promise<string> {
  const year = tx.now.getUTCFullYear()
  await tx.db.insert(costEstimateNumbers).values({ year, last: 0 }).onConflictDoNothing()
  const ofYear = eq(costEstimateNumbers.year, year)
  const [row] = await tx.db.select().from(costEstimateNumbers).where(ofYear).for('update')
  if (!row) throw new Error('No number was given.')
  const number = Math.min(row.last + 1, ...row.freed)
  const rest = { last: Math.max(row.last, number), freed: row.freed.filter((each) => each !== number) }
  await tx.db.update(costEstimateNumbers).set(rest).where(ofYear)
  return `EST-${year}-${String(number).padStart(4, '0')}`
}

/** Gives back the number of a draft that was never submitted, for the next new estimate of that year. */
export async function giveBackNumber(tx: Tx, number: string) {
  const [, year, count] = /^EST-(\d+)-(\d+)$/.exec(number) ?? []
  await tx.db
    .update(costEstimateNumbers)
    .set({ freed: sql`array_append(${costEstimateNumbers.freed}, ${Number(count)})` })
    .where(eq(costEstimateNumbers.year, Number(year)))
}
