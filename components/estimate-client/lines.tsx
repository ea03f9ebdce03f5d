'use client'

import { memo } from 'react'
import { Badge } from '@/components/ui/badge'
import { CheckboxBox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import type { ClientEstimate } from '@/lib/domain/cost-estimates/schema'
import { Aligned } from '../cost-estimates/aligned'
import { formatAmount, formatQuantity, formatUnitPrice, longestFraction } from '../cost-estimates/amounts'

type Line = ClientEstimate['line_items'][number]

/** The lines as a table; on a phone each is a paragraph with its sum. Options can be left out while `choose` is given. */
export function Lines({
  estimate,
  declined,
  choose,
}: {
  estimate: ClientEstimate
  declined: ReadonlySet<string>
  choose?: (id: string, isIncluded: boolean) => void
}) {
  const digits = {
    quantity: longestFraction(estimate.line_items.map(({ quantity }) => formatQuantity(quantity))),
    unitPrice: longestFraction(estimate.line_items.map((line) => formatUnitPrice(line.unit_price, estimate.currency))),
  }
  return (
    <table className="w-full border-collapse text-sm tabular-nums max-sm:block">
      <caption className="sr-only">Line items of estimate {estimate.number}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-ink text-left text-xs text-ink-muted">
          <th scope="col" className="py-2 pr-6 font-medium">
            Description
          </th>
          <th scope="col" className="py-2 pr-6 text-right font-medium">
            Quantity
          </th>
          <th scope="col" className="py-2 pr-6 text-right font-medium whitespace-nowrap">
            Unit price
          </th>
          <th scope="col" className="py-2 text-right font-medium whitespace-nowrap">
            Amount, {estimate.currency}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {estimate.line_items.map((line) => (
          <Row
            key={line.id}
            line={line}
            currency={estimate.currency}
            quantityDigits={digits.quantity}
            priceDigits={digits.unitPrice}
            isDeclined={declined.has(line.id)}
            choose={line.optional ? choose : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}

const Row = memo(function Row({
  line,
  currency,
  quantityDigits,
  priceDigits,
  isDeclined,
  choose,
}: {
  line: Line
  currency: string
  quantityDigits: number
  priceDigits: number
  isDeclined: boolean
  choose?: (id: string, isIncluded: boolean) => void
}) {
  const amountClass = cn('align-top', isDeclined && 'text-ink-subtle line-through')
  return (
    <tr className="border-b border-line max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-4 max-sm:py-3 print:break-inside-avoid">
      <td className="align-top max-sm:col-span-2 sm:py-3 sm:pr-6">
        <div className="flex items-start gap-3">
          {choose && (
            <CheckboxBox
              className="mt-0 print:hidden"
              aria-label={`Include: ${line.description.slice(0, 200)}`}
              checked={!isDeclined}
              onCheckedChange={(isIncluded) => choose(line.id, isIncluded)}
            />
          )}
          <div className="min-w-0 flex-1">
            <p
              dir="auto"
              className={cn('whitespace-pre-line wrap-anywhere', isDeclined && 'text-ink-subtle line-through')}
            >
              {line.description}
            </p>
            {(line.optional || line.unit) && (
              <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-muted">
                {line.optional && (
                  <Badge tone={isDeclined ? 'neutral' : 'accent'}>
                    {isDeclined ? 'Option, left out' : 'Option, included'}
                  </Badge>
                )}
                {line.unit && <span>Priced per {line.unit}</span>}
              </p>
            )}
          </div>
        </div>
      </td>
      <td className={cn(amountClass, 'text-right whitespace-nowrap max-sm:hidden sm:py-3 sm:pr-6')}>
        <Aligned amount={formatQuantity(line.quantity)} digits={quantityDigits} />
      </td>
      <td className={cn(amountClass, 'text-right whitespace-nowrap max-sm:hidden sm:py-3 sm:pr-6')}>
        <Aligned amount={formatUnitPrice(line.unit_price, currency)} digits={priceDigits} />
      </td>
      <td className={cn(amountClass, 'text-ink-muted max-sm:mt-1 sm:hidden')}>
        {formatQuantity(line.quantity)} × {formatUnitPrice(line.unit_price, currency)}
      </td>
      <td className={cn(amountClass, 'text-right font-medium whitespace-nowrap max-sm:mt-1 sm:py-3')}>
        {formatAmount(line.amount, currency)}
      </td>
    </tr>
  )
})
