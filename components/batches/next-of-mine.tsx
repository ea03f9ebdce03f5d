import { ArrowRight } from 'lucide-react'
import { LinkButton } from '@/components/ui/link-button'
import type { WorkItem } from '@/lib/domain/batches/schema'
import { LABELS } from '@/lib/vocabulary'

/** Where the screen that leads on is: files are decided in the review room. */
export const placeOfWork = ({ project_id, id, task }: Pick<WorkItem, 'project_id' | 'id' | 'task'>) =>
  `/projects/${project_id}/batches/${id}${task === 'review' ? '/review' : ''}`

/** The next batch that waits for the reader, once nothing of this one does. */
export function NextOfMine({ next }: { next: WorkItem }) {
  const what = next.task === 'review' ? `${next.counts.pending} to decide` : LABELS.workTask[next.task].toLowerCase()
  return (
    <aside
      aria-label="Next for you"
      className="flex items-center justify-between gap-3 rounded-xl border border-line bg-surface px-4 py-2.5 text-sm print:hidden"
    >
      <p className="min-w-0 wrap-anywhere">
        <span className="text-ink-muted">Next for you: </span>
        <span className="font-medium">{next.name}</span>
        <span className="text-ink-muted">
          {' '}
          ({next.project.name}, {what})
        </span>
      </p>
      <LinkButton href={placeOfWork(next)} size="sm" className="shrink-0">
        Go on
        <ArrowRight />
      </LinkButton>
    </aside>
  )
}
