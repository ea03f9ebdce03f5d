import { Section } from '@/components/ui/page-header'
import { formatDate, formatMoney } from '@/lib/client/format'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { formatQuantity, formatUnitPrice } from './figures'
import { EstimateStatusBadge } from './status'

type Line = Estimate['line_items'][number]
const wording = ({ description, quantity, unit_price }: Line, currency: string) =>
  `${description} (${formatQuantity(quantity)} × ${formatUnitPrice(unit_price, currency)})`

/** What one revision changed against the one before: lines that came, went, or cost something else. */
function changes(now: Estimate, before: Estimate) {
  const had = new Set(before.line_items.map((line) => wording(line, before.currency)))
  const has = new Set(now.line_items.map((line) => wording(line, now.currency)))
  return {
    added: [...has].filter((line) => !had.has(line)),
    removed: [...had].filter((line) => !has.has(line)),
  }
}

export function Revisions({ revisions }: { revisions: readonly Estimate[] }) {
  return (
    <Section title="Revisions">
      <ol className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface shadow-xs">
        {revisions.map((revision, index) => {
          const before = revisions[index + 1]
          const { added, removed } = before ? changes(revision, before) : { added: [], removed: [] }
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
              {(added.length > 0 || removed.length > 0) && (
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
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
