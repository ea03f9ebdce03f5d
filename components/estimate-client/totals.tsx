import { cn } from '@/components/ui/cn'
import { formatMoney } from '@/lib/currencies'
import type { ClientEstimate } from '@/lib/domain/cost-estimates/schema'
import type { Totals } from '@/lib/domain/kernel/money'
import { formatAmount, sumsOf } from '../cost-estimates/amounts'

/** From subtotal to total, as the options stand now. */
export function TotalsBlock({ estimate, totals }: { estimate: ClientEstimate; totals: Totals }) {
  const { currency } = estimate
  return (
    <dl className="mt-5 ml-auto w-full text-sm tabular-nums sm:w-80 print:break-inside-avoid">
      {sumsOf(estimate, totals).map(({ label, value }) => (
        <div key={label} className="flex justify-between gap-6 py-1">
          <dt className="text-ink-muted">{label}</dt>
          <dd>{formatAmount(value, currency)}</dd>
        </div>
      ))}
      <div className={cn('mt-2 flex items-baseline justify-between gap-6 border-t border-ink pt-3')}>
        <dt className="text-lg font-semibold">Total</dt>
        <dd className="text-xl font-semibold" aria-live="polite">
          {formatMoney(totals.total, currency)}
        </dd>
      </div>
    </dl>
  )
}
