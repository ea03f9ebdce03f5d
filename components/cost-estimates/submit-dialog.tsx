import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { LinkButton } from '@/components/ui/link-button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Estimate, EstimateRoute } from '@/lib/domain/cost-estimates/schema'

/** Says before a submission who is asked to approve, or which step no user can take. */
export function SubmitDialog({
  estimate,
  route,
  maySetApproval,
  isOpen,
  onOpenChange,
}: {
  estimate: Estimate
  /** The steps a draft would go through if it were submitted now. */
  route: EstimateRoute['steps']
  maySetApproval: boolean
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) {
  const submit = useApiMutation({
    request: () =>
      apiRequest('POST /api/cost-estimates/{estimate_id}/submit', { params: { estimate_id: estimate.id } }),
    success: `${estimate.number} submitted`,
  })
  const blocked = route.find(({ problem }) => problem !== null)
  return blocked ? (
    <Dialog open={isOpen} onOpenChange={onOpenChange} title={`${estimate.number} cannot be submitted yet`}>
      <DialogBody>
        <Callout tone="warn">{blocked.problem}</Callout>
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
        {maySetApproval && (
          <LinkButton href="/settings/approval" variant="primary">
            Change the approval
          </LinkButton>
        )}
      </DialogFooter>
    </Dialog>
  ) : (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={`Submit ${estimate.number}?`}
      confirmLabel="Submit"
      tone="primary"
      onConfirm={() => submit.mutateAsync()}
    >
      {route.length === 0 ? (
        <p>
          No approval inside is needed: the client can decide at once, by a link that you send. It cannot be changed
          meanwhile, only revised.
        </p>
      ) : (
        <>
          <p>It waits for these, then for the client. It cannot be changed meanwhile, only revised.</p>
          <ol className="mt-2 list-decimal pl-5">
            {route.map(({ name, takers }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be called alike, and none of them moves
              <li key={index}>
                <span className="font-medium text-ink">{name}</span>: {takers}
              </li>
            ))}
          </ol>
        </>
      )}
    </ConfirmDialog>
  )
}
