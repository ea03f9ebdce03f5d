import { Section } from '@/components/ui/page-header'
import { formatDate, formatMoney } from '@/lib/client/format'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { formatQuantity, formatUnitPrice } from './figures'
import { EstimateStatusBadge } from './status'

type Line = Pick<Estimate['line_items'][number], 'description' | 'quantity' | 'unit_price'>
type Priced = Pick<Estimate, 'currency' | 'discount' | 'tax_rate'> & { line_items: readonly Line[] }
const wording = ({ description, quantity, unit_price }: Line, currency: string) =>
  `${description} (${formatQuantity(quantity)} × ${formatUnitPrice(unit_price, currency)})`

/** All that makes the total, in words. */
const pricing = ({ line_items, currency, discount, tax_rate }: Priced) => [
  ...line_items.map((line) => wording(line, currency)),
  ...(discount ? [`Discount of ${discountOf(discount, currency)}`] : []),
  ...(tax_rate > 0 ? [`Tax of ${formatQuantity(tax_rate)}%`] : []),
]
const discountOf = ({ type, value }: NonNullable<Priced['discount']>, currency: string) =>
  type === 'percent' ? `${formatQuantity(value)}%` : formatMoney(value, currency)

/** What one version changed against another: what came, went, or costs something else. */
function changes(now: Priced, before: Priced) {
  const had = new Set(pricing(before))
  const has = new Set(pricing(now))
  return {
    added: [...has].filter((line) => !had.has(line)),
    removed: [...had].filter((line) => !has.has(line)),
  }
}

/** What differs in price between two versions; nothing where nothing does. */
export function PriceChanges({ now, before }: { now: Priced; before: Priced }) {
  const { added, removed } = changes(now, before)
  if (added.length === 0 && removed.length === 0) return null
  return (
    <ul className="flex flex-col gap-1">
      {removed.map((line) => (
        <li key={`- ${line}`} className="wrap-anywhere text-ink-muted">
          <span className="sr-only">Removed: </span>
          <span aria-hidden="true">− </span>
          <del>{line}</del>
        </li>
      ))}
      {added.map((line) => (
        <li key={`+ ${line}`} className="wrap-anywhere">
          <span className="sr-only">Added: </span>
          <span aria-hidden="true">+ </span>
          {line}
        </li>
      ))}
    </ul>
  )
}

export function Revisions({ revisions }: { revisions: readonly Estimate[] }) {
  return (
    <Section title="Revisions">
      <ol className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface shadow-xs">
        {revisions.map((revision, index) => {
          const before = revisions[index + 1]
          return (
            <li key={revision.revision} className="flex flex-col gap-2 px-5 py-4 text-sm">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="flex items-center gap-2">
                  <span className="font-medium">Revision {revision.revision}</span>
                  <EstimateStatusBadge status={revision.status} />
                </span>
                <span className="tabular-nums">
                  {before && (
                    <span className="mr-2 text-ink-subtle line-through">
                      {formatMoney(before.total, before.currency)}
                    </span>
                  )}
                  {formatMoney(revision.total, revision.currency)}
                </span>
              </div>
              {revision.submitted_at && (
                <span className="text-xs text-ink-subtle">Submitted {formatDate(revision.submitted_at)}</span>
              )}
              {before && <PriceChanges now={revision} before={before} />}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
