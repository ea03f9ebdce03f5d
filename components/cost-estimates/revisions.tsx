import { cn } from '@/components/ui/cn'
import { Section } from '@/components/ui/page-header'
import { formatMoney } from '@/lib/currencies'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { formatDate } from '@/lib/format'
import { type Priced, priceChanges } from './compare'
import { EstimateStatusBadge } from './status'

const SAID = { removed: 'Removed: ', added: 'Added: ', changed: 'Changed: ' } as const
const SIGN = { removed: '−', added: '+', changed: '~' } as const

/** What differs in price between two versions; nothing where nothing does. */
export function PriceChanges({ now, before }: { now: Priced; before: Priced }) {
  const changes = priceChanges(now, before)
  if (changes.length === 0) return null
  return (
    <ul className="flex flex-col gap-1">
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same, and none of them moves
        <li key={index} className={cn('wrap-anywhere', change.kind === 'removed' && 'text-ink-muted')}>
          <span className="sr-only">{SAID[change.kind]}</span>
          <span aria-hidden="true">{SIGN[change.kind]} </span>
          {change.kind === 'removed' ? <del>{change.text}</del> : change.text}
          {change.kind === 'changed' && (
            <>
              {': '}
              <del className="text-ink-muted">{change.before}</del> <span className="sr-only">to </span>
              <span aria-hidden="true">→ </span>
              <ins className="no-underline">{change.now}</ins>
            </>
          )}
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
