import { Wrench } from 'lucide-react'
import { CopyButton } from '@/components/ui/copy-button'
import type { Scorecard } from '@/lib/domain/scorecards/schema'
import { formatCount } from '@/lib/format'

/** What sends files back, and for each the recipe that fixed, or would fix, the newest of them. */
export function FailingChecks({ checks, files }: { checks: Scorecard['top_failing_checks']; files: number }) {
  const most = Math.max(files, ...checks.map(({ count }) => count))
  return (
    <ol className="divide-y divide-line">
      {checks.map(({ check_id, label, count, example }) => (
        <li key={check_id} className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
          <div className="flex items-baseline justify-between gap-3">
            <h3 className="font-semibold wrap-anywhere">{label}</h3>
            <span className="shrink-0 text-sm text-ink-muted tabular-nums">
              {count} of {formatCount(most, 'file')}
            </span>
          </div>
          <span aria-hidden="true" className="h-1.5 rounded-full bg-active">
            <span className="block h-full min-w-1 rounded-full bg-fail" style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <p className="text-sm text-ink-muted wrap-anywhere">
            Most recently <span className="font-medium text-ink">{example.file_name}</span>: {example.details}
          </p>
          {example.fix && (
            <div className="flex items-start gap-2.5 rounded-lg bg-sunken px-3 py-2.5 text-sm">
              <Wrench aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-subtle" />
              <p className="min-w-0 flex-1 wrap-anywhere">
                <span className="sr-only">How to fix it: </span>
                {example.fix}
              </p>
              <CopyButton text={example.fix} label={`Copy how to fix ${label}`} />
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}
