import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/cn'
import { formatMoney } from '@/lib/currencies'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { Aligned } from './aligned'
import { formatQuantity, formatUnitPrice, longestFraction, sumsOf } from './amounts'

type Priced = Pick<
  Estimate,
  'line_items' | 'currency' | 'subtotal' | 'discount' | 'discount_amount' | 'tax_rate' | 'tax_amount' | 'total'
>

const UNITS = { file: 'per file', round: 'per round' } as const

/** The lines and sums of an estimate, as a table that becomes a list on narrow screens. */
export function EstimateSheet({ estimate }: { estimate: Priced }) {
  const money = (value: number) => formatMoney(value, estimate.currency)
  const price = (line: Priced['line_items'][number]) => formatUnitPrice(line.unit_price, estimate.currency)
  const quantityDigits = longestFraction(estimate.line_items.map(({ quantity }) => formatQuantity(quantity)))
  const priceDigits = longestFraction(estimate.line_items.map(price))
  return (
    <div className="@container overflow-hidden rounded-xl border border-line bg-surface shadow-xs">
      <table className="w-full text-sm">
        <caption className="sr-only">Line items</caption>
        <thead className="border-b border-line text-xs text-ink-subtle @max-xl:sr-only">
          <tr>
            <th scope="col" className="px-4 py-2 text-left font-medium">
              Description
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              Quantity
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium whitespace-nowrap">
              Unit price
            </th>
            <th scope="col" className="px-4 py-2 text-right font-medium">
              Amount
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {estimate.line_items.map((line) => (
            <tr
              key={line.id}
              className={cn('align-top @max-xl:grid @max-xl:grid-cols-2', line.declined && 'text-ink-subtle')}
            >
              <td className="px-4 py-2.5 @max-xl:col-span-2 @max-xl:pb-0">
                <span className={cn('wrap-anywhere whitespace-pre-line', line.declined && 'line-through')}>
                  {line.description}
                </span>
                {line.optional && (
                  <Badge className="ml-2 align-middle">{line.declined ? 'Option, left out' : 'Option'}</Badge>
                )}
                {line.unit && (
                  <span className="mt-0.5 block text-xs text-ink-subtle @max-xl:hidden">Priced {UNITS[line.unit]}</span>
                )}
              </td>
              <td className="px-3 py-2.5 text-right whitespace-nowrap tabular-nums @max-xl:px-4 @max-xl:text-left">
                <Aligned amount={formatQuantity(line.quantity)} digits={quantityDigits} />
                <span className="text-ink-subtle @xl:hidden">
                  {' '}
                  × {price(line)}
                  {line.unit && ` ${UNITS[line.unit]}`}
                </span>
              </td>
              <td className="px-3 py-2.5 text-right whitespace-nowrap tabular-nums @max-xl:hidden">
                <Aligned amount={price(line)} digits={priceDigits} />
              </td>
              <td className={cn('px-4 py-2.5 text-right tabular-nums', line.declined && 'line-through')}>
                {money(line.amount)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Sums estimate={estimate} />
    </div>
  )
}

export function Sums({ estimate }: { estimate: Omit<Priced, 'line_items'> }) {
  const money = (value: number | string) => formatMoney(value, estimate.currency)
  const sums = sumsOf(estimate, {
    subtotal: estimate.subtotal,
    discountAmount: estimate.discount_amount,
    taxAmount: estimate.tax_amount,
  })
  return (
    <dl className="ml-auto grid w-full max-w-sm grid-cols-[1fr_auto] gap-y-1.5 border-t border-line px-4 py-3 text-sm sm:border-t-0">
      {sums.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-ink-muted">{label}</dt>
          <dd className="pl-6 text-right tabular-nums">{money(value)}</dd>
        </div>
      ))}
      <div className="contents text-base font-semibold">
        <dt className="border-t border-line pt-1.5">Total</dt>
        <dd className="border-t border-line pt-1.5 pl-6 text-right tabular-nums">{money(estimate.total)}</dd>
      </div>
    </dl>
  )
}
