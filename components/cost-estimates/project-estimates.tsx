import Link from 'next/link'
import { Card, CardHeader } from '@/components/ui/card'
import { LinkButton } from '@/components/ui/link-button'
import { formatMoney } from '@/lib/currencies'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { EstimateStatusBadge } from './status'

type Scope = { quoted: { files: number; rounds: number }; used: { files: number; rounds: number } }

/** The estimates of a project, and what was quoted in them against what was used. */
export function ProjectEstimates({
  projectId,
  estimates,
  isMore,
  scope,
  mayManage,
}: {
  projectId: string
  /** The newest of them. */
  estimates: readonly Estimate[]
  isMore: boolean
  scope: Scope
  mayManage: boolean
}) {
  return (
    <Card>
      <CardHeader
        title="Cost estimates"
        actions={
          mayManage && (
            <LinkButton size="sm" href={`/cost-estimates/new?project_id=${projectId}`}>
              New
            </LinkButton>
          )
        }
      />
      <ul className="flex flex-col gap-3 px-5 py-4">
        {estimates.map((estimate) => (
          <li key={estimate.id} className="flex flex-col items-start gap-1 text-sm">
            <span className="flex w-full items-baseline justify-between gap-2">
              <Link
                href={`/cost-estimates/${estimate.id}`}
                className="line-clamp-3 min-w-0 font-medium wrap-anywhere hover:underline"
              >
                {estimate.title}
              </Link>
              <span className="shrink-0 tabular-nums">{formatMoney(estimate.total, estimate.currency)}</span>
            </span>
            <span className="flex w-full flex-wrap items-center justify-between gap-2">
              <EstimateStatusBadge status={estimate.status} />
              <span className="text-xs text-ink-subtle tabular-nums">{estimate.number}</span>
            </span>
          </li>
        ))}
        {estimates.length === 0 && <li className="text-sm text-ink-muted">None yet.</li>}
        {isMore && (
          <li>
            <Link href={`/cost-estimates?project_id=${projectId}`} className="text-sm text-accent-ink hover:underline">
              All estimates of this project
            </Link>
          </li>
        )}
      </ul>
      {(scope.quoted.files > 0 || scope.quoted.rounds > 0) && (
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 border-t border-line px-5 py-4 text-sm">
          <Used label="Files" used={scope.used.files} quoted={scope.quoted.files} />
          <Used label="Rounds" used={scope.used.rounds} quoted={scope.quoted.rounds} />
        </dl>
      )}
    </Card>
  )
}

function Used({ label, used, quoted }: { label: string; used: number; quoted: number }) {
  if (quoted === 0) return null
  return (
    <>
      <dt className="text-ink-muted">{label}</dt>
      <dd className="text-right tabular-nums">
        {used} of {quoted} quoted
        {used > quoted && <span className="ml-1 font-medium text-warn-ink">(over)</span>}
      </dd>
    </>
  )
}
