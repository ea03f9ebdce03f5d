import { Check, PencilLine, Send, Trash2, Undo2, X } from 'lucide-react'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { type Role, roleOrHigher } from '@/lib/vocabulary'

const ICONS = {
  submitted: <Send />,
  approved: <Check />,
  rejected: <X />,
  undone: <Undo2 />,
  revised: <PencilLine />,
  discarded: <Trash2 />,
}

/** Any one of them may act. */
const anyOf = (role: Role) => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${roleOrHigher(role)}`

function said({ decision, side, step, revision }: Estimate['decisions'][number]) {
  const what = {
    submitted: `submitted revision ${revision}`,
    approved: side === 'client' ? 'approved it for the client' : `approved “${step}”`,
    rejected: side === 'client' ? 'rejected it for the client' : `rejected at “${step}”`,
    undone: 'took the decision back',
    revised: `began revision ${revision + 1}`,
    discarded: `discarded revision ${revision}`,
  }
  return what[decision]
}

/** Who decided what, oldest first, then what is waited for. */
export function Timeline({ estimate }: { estimate: Estimate }) {
  const waiting = estimate.approval?.steps.filter(({ status }) => status === 'pending') ?? []
  return (
    <ol className="flex flex-col gap-4 px-5 py-4 text-sm">
      {estimate.decisions.map((each) => (
        <li key={`${each.at} ${each.decision} ${each.step}`} className="grid grid-cols-[1.25rem_1fr] gap-2.5">
          <span aria-hidden="true" className="mt-0.5 text-ink-subtle [&_svg]:size-4">
            {ICONS[each.decision]}
          </span>
          <span className="min-w-0">
            <span className="font-medium wrap-anywhere">{each.by.name}</span> {said(each)}
            <span className="block text-xs text-ink-subtle">
              <RelativeTime value={each.at} />
            </span>
            {each.comment && (
              <span className="mt-1 block rounded-md bg-sunken px-2.5 py-1.5 whitespace-pre-line wrap-anywhere">
                {each.comment}
              </span>
            )}
          </span>
        </li>
      ))}
      {estimate.status === 'awaiting_internal_approval' &&
        waiting.map((step, index) => (
          <li key={step.name} className="grid grid-cols-[1.25rem_1fr] gap-2.5 text-ink-muted">
            <span
              aria-hidden="true"
              className="mt-1.5 size-2 justify-self-center rounded-full border border-ink-subtle"
            />
            <span>
              {index === 0 ? 'Waits for ' : 'Then '}
              <span className="font-medium text-ink">{step.name}</span>
              {`: ${step.user?.name ?? (step.role ? anyOf(step.role) : 'a user who left')}`}
            </span>
          </li>
        ))}
      {estimate.status === 'awaiting_client_approval' && (
        <li className="grid grid-cols-[1.25rem_1fr] gap-2.5 text-ink-muted">
          <span
            aria-hidden="true"
            className="mt-1.5 size-2 justify-self-center rounded-full border border-ink-subtle"
          />
          Waits for the client
        </li>
      )}
      {estimate.decisions.length === 0 && (
        <li className="text-ink-muted">Nothing yet. Submitting it starts the approval.</li>
      )}
    </ol>
  )
}
