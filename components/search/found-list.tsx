import { EstimateStatusBadge } from '@/components/cost-estimates/status'
import { Decision } from '@/components/files/decision'
import { BatchStatusBadge, ProjectStatusBadge } from '@/components/projects/status'
import { NearLink } from '@/components/ui/near-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { marked } from '@/lib/domain/search/rules'
import type { SearchResult } from '@/lib/domain/search/schema'
import type { BatchStatus, EstimateStatus, ProjectStatus, ReviewDecision } from '@/lib/vocabulary'
import { iconOf, placeOf } from './places'

/** Results of one kind: what it is, where it belongs, and what was found in it, with the words marked. */
export function FoundList({
  results,
  words,
  mayManage,
}: {
  results: readonly SearchResult[]
  words: readonly string[]
  mayManage: boolean
}) {
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs">
      {results.map((found) => (
        <li
          key={`${found.id} ${found.check_id}`}
          className="relative flex items-start gap-3 px-4 py-2.5 hover:bg-hover"
        >
          <span aria-hidden="true" className="mt-0.5 text-ink-subtle [&_svg]:size-4">
            {iconOf(found.kind)}
          </span>
          <div className="min-w-0 flex-1">
            <NearLink
              href={placeOf(found, mayManage)}
              data-row-link
              className="text-sm font-medium text-ink wrap-anywhere after:absolute after:inset-0"
            >
              <Marked text={found.name} words={words} />
            </NearLink>
            {found.excerpt && (
              <p className="mt-0.5 text-sm text-ink-muted wrap-anywhere">
                <Marked text={found.excerpt} words={words} />
              </p>
            )}
            <p className="mt-0.5 text-xs text-ink-subtle wrap-anywhere">{found.hint}</p>
          </div>
          <div className="flex shrink-0 flex-col items-end gap-1 text-xs text-ink-subtle">
            <Status found={found} />
            <RelativeTime value={found.created_at} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return marked(text, words).map((part, index) =>
    part.isHit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <mark key={index} className="rounded-xs bg-accent-soft text-accent-ink">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}

function Status({ found: { kind, status } }: { found: SearchResult }) {
  if (!status) return null
  switch (kind) {
    case 'project':
      return <ProjectStatusBadge status={status as ProjectStatus} />
    case 'batch':
      return <BatchStatusBadge status={status as BatchStatus} />
    case 'estimate':
      return <EstimateStatusBadge status={status as EstimateStatus} />
    default:
      return <Decision decision={status as ReviewDecision} />
  }
}
