import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { VersionDelta } from '@/lib/domain/pre-qc/schema'
import { LABELS } from '@/lib/vocabulary'

/** What the new version fixed, and what it did not. */
export function DeltaList({ delta }: { delta: VersionDelta }) {
  const { fixed, still_failing, newly_broken } = delta
  const isSame = fixed.length + still_failing.length + newly_broken.length === 0
  return (
    <div className="rounded-lg border border-line bg-canvas px-4 py-3 text-sm">
      <h4 className="font-medium">Against version {delta.file_version}</h4>
      {isSame ? (
        <p className="text-ink-muted">No finding then, and none now.</p>
      ) : (
        <ul className="mt-1.5 flex flex-col gap-1">
          <Group title="Newly broken" icon={<CircleX className="text-fail-ink" />} changes={newly_broken} />
          <Group title="Still failing" icon={<TriangleAlert className="text-warn-ink" />} changes={still_failing} />
          <Group title="Fixed" icon={<CircleCheck className="text-pass-ink" />} changes={fixed} />
        </ul>
      )}
    </div>
  )
}

function Group({ title, icon, changes }: { title: string; icon: ReactNode; changes: VersionDelta['fixed'] }) {
  if (changes.length === 0) return null
  const words = changes.map(({ label, before, after }) =>
    title === 'Still failing' && before !== null && before !== after
      ? `${label} (${LABELS.checkStatus[before].toLowerCase()} before, ${LABELS.checkStatus[after].toLowerCase()} now)`
      : label,
  )
  return (
    <li className="flex items-baseline gap-2 [&_svg]:size-3.5 [&_svg]:translate-y-0.5 [&>svg]:shrink-0">
      {icon}
      <span className="min-w-0">
        <span className="font-medium">
          {title} ({changes.length}):
        </span>{' '}
        <span className="text-ink-muted">{words.join(', ')}</span>
      </span>
    </li>
  )
}
