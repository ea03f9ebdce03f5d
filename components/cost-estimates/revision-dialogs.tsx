import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { apiRequest } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'

type Props = { estimate: Estimate; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** Begins the next revision, and opens it in the editor. */
export function ReviseDialog({ estimate, isOpen, onOpenChange }: Props) {
  const router = useRouter()
  const revise = useApiMutation({
    request: () =>
      apiRequest('POST /api/cost-estimates/{estimate_id}/revise', { params: { estimate_id: estimate.id } }),
    success: `A new revision of ${estimate.number}`,
    onSuccess: () => router.push(`/cost-estimates/${estimate.id}/edit`),
  })
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={`Revise ${estimate.number}?`}
      confirmLabel="Revise"
      tone="primary"
      onConfirm={() => revise.mutateAsync()}
    >
      Revision {estimate.revision} is kept as it stands. The approval begins anew once the next one is submitted.
    </ConfirmDialog>
  )
}

/** Ends the link by which the client decides. */
export function RevokeLinkDialog({ estimate, isOpen, onOpenChange }: Props) {
  const revoke = useApiMutation({
    request: () =>
      apiRequest('POST /api/cost-estimates/{estimate_id}/revoke-link', { params: { estimate_id: estimate.id } }),
    success: 'The link no longer works',
  })
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={`Revoke the link to ${estimate.number}?`}
      confirmLabel="Revoke link"
      onConfirm={() => revoke.mutateAsync()}
    >
      It shows nothing any more. The next submission makes a new one.
    </ConfirmDialog>
  )
}

/** Deletes a draft, or the draft of a later revision; `etag` is of what is on screen. */
export function DiscardDialog({ estimate, etag, isOpen, onOpenChange }: Props & { etag: string }) {
  const router = useRouter()
  const remove = useApiMutation({
    request: (ifMatch: string) =>
      apiRequest('DELETE /api/cost-estimates/{estimate_id}', { params: { estimate_id: estimate.id }, ifMatch }),
    success: ({ restored }) =>
      restored ? `${estimate.number} is revision ${restored.revision} again` : `${estimate.number} deleted`,
    refresh: false,
    onSuccess: ({ restored }) => (restored ? refreshSoon(router) : router.push('/cost-estimates')),
  })
  const isFirst = estimate.revision === 1
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={isFirst ? `Delete ${estimate.number}?` : `Discard revision ${estimate.revision} of ${estimate.number}?`}
      confirmLabel={isFirst ? 'Delete draft' : 'Discard revision'}
      onConfirm={() => remove.mutateAsync(etag)}
    >
      {isFirst
        ? `“${estimate.title}” and its ${estimate.line_items.length === 1 ? 'line are' : `${estimate.line_items.length} lines are`} gone for good. The next new estimate gets the number ${estimate.number}.`
        : `Revision ${estimate.revision - 1} stands again as it was before, with its decisions. What was changed since is gone for good.`}
    </ConfirmDialog>
  )
}
