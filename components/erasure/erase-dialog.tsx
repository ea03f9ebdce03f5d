'use client'

import { useQuery } from '@tanstack/react-query'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Spinner } from '@/components/ui/spinner'
import { api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import type { User } from '@/lib/domain/directory/schema'
import type { Erasure } from '@/lib/domain/erasure/schema'
import { formatNumber } from '@/lib/format'

const PLACES: Record<(Erasure['erased'] | Erasure['kept'])[number]['place'], string> = {
  account: 'Account: name, e-mail address, password',
  link: 'Link: name, e-mail address, note, password',
  tokens: 'API tokens',
  own_notifications: 'Notifications to this person',
  others_notifications: 'Notifications to others about what they did',
  webhook_deliveries: 'Messages to webhooks',
  estimates: 'Estimates with decisions or steps of theirs',
  audit_events: 'Events of the audit trail',
  earlier_audit_events: 'Events sealed in clear text by an earlier version; screens show “Erased person”',
  certificates: 'Signed certificates that name this person',
  attachments: 'Files attached to their comments, which stay with the comments',
}

type Opening = { open: boolean; onOpenChange: (isOpen: boolean) => void }

/** Erases a user for good, after showing where. */
export function EraseUserDialog({ user, ...opening }: { user: User } & Opening) {
  const erase = useApiMutation({
    request: () => apiRequest('POST /api/users/{user_id}/erasure', { params: { user_id: user.id }, body: {} }),
    success: 'The person was erased',
    onProblem: () => {},
  })
  return (
    <ConfirmDialog
      {...opening}
      title={`Erase ${user.name}?`}
      confirmLabel="Erase for good"
      typeToConfirm={user.email}
      onConfirm={() => erase.mutateAsync()}
    >
      <p>
        What they did stays, by “Erased person”. This cannot be undone, and their account cannot be signed in to again.
      </p>
      {opening.open && (
        <Places
          id={user.id}
          preview={() => api('GET /api/users/{user_id}/erasure', { params: { user_id: user.id } })}
        />
      )}
    </ConfirmDialog>
  )
}

/** Erases the client who decided on an estimate, after showing where. */
export function EraseClientDialog({ estimate, ...opening }: { estimate: Estimate } & Opening) {
  const params = { estimate_id: estimate.id }
  const erase = useApiMutation({
    request: () => apiRequest('POST /api/cost-estimates/{estimate_id}/client-erasure', { params, body: {} }),
    success: 'The client was erased',
    onProblem: () => {},
  })
  return (
    <ConfirmDialog
      {...opening}
      title={`Erase the client’s name on ${estimate.number}?`}
      confirmLabel="Erase for good"
      typeToConfirm={estimate.number}
      onConfirm={() => erase.mutateAsync()}
    >
      <p>The decisions stay, by “Erased person”, without the address they came from. This cannot be undone.</p>
      {opening.open && (
        <Places
          id={estimate.id}
          preview={() => api('GET /api/cost-estimates/{estimate_id}/client-erasure', { params })}
          labels={{ estimates: 'Decisions on this estimate' }}
        />
      )}
    </ConfirmDialog>
  )
}

/** Erases the person of a review link, or the receiver of a share link, after showing where. */
export function EraseGuestDialog({
  link,
  kind,
  ...opening
}: { link: { id: string; name: string }; kind: 'review' | 'share' } & Opening) {
  const erase = useApiMutation({
    request: () =>
      kind === 'review'
        ? apiRequest('POST /api/review-links/{review_link_id}/erasure', {
            params: { review_link_id: link.id },
            body: {},
          })
        : apiRequest('POST /api/share-links/{share_link_id}/erasure', { params: { share_link_id: link.id }, body: {} }),
    success: 'The person was erased',
    onProblem: () => {},
  })
  const preview = () =>
    kind === 'review'
      ? api('GET /api/review-links/{review_link_id}/erasure', { params: { review_link_id: link.id } })
      : api('GET /api/share-links/{share_link_id}/erasure', { params: { share_link_id: link.id } })
  return (
    <ConfirmDialog
      {...opening}
      title={`Erase ${link.name}?`}
      confirmLabel="Erase for good"
      typeToConfirm={link.name}
      onConfirm={() => erase.mutateAsync()}
    >
      <p>
        What was said, decided or downloaded through this link stays, by “Erased person”. The link is switched off.
        Links made for the same person in other batches are erased there. This cannot be undone.
      </p>
      {opening.open && <Places id={link.id} preview={preview} />}
    </ConfirmDialog>
  )
}

function Places({
  id,
  preview,
  labels = {},
}: {
  id: string
  preview: () => Promise<Erasure>
  labels?: Partial<typeof PLACES>
}) {
  const { data, error } = useQuery({ queryKey: ['erasure', id], queryFn: preview, staleTime: 0 })
  if (error) return <Callout tone="fail">{error.message}</Callout>
  if (!data) return <Spinner />
  const kept = data.kept.filter(({ count }) => count > 0)
  return (
    <div className="mt-3 flex flex-col gap-3 text-sm">
      <List title="Erased" places={data.erased.filter(({ count }) => count > 0)} labels={{ ...PLACES, ...labels }} />
      {kept.length > 0 && <List title="Out of reach" places={kept} labels={PLACES} />}
      {data.held_projects.length > 0 && (
        <Callout tone="warn" title="Under legal hold">
          A person is not erased while a project with them is: {data.held_projects.map(({ name }) => name).join(', ')}.
        </Callout>
      )}
    </div>
  )
}

function List({
  title,
  places,
  labels,
}: {
  title: string
  places: readonly { place: keyof typeof PLACES; count: number }[]
  labels: typeof PLACES
}) {
  return (
    <section>
      <h3 className="font-medium text-ink">{title}</h3>
      <ul>
        {places.map(({ place, count }) => (
          <li key={place} className="flex justify-between gap-4">
            <span>{labels[place]}</span>
            <span className="tabular-nums">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
