import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useAsOpened } from '@/components/ui/as-opened'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'

/** Whether the client decides next; a decision here is then a record of theirs. */
export const isForClient = ({ status }: Estimate) => status === 'awaiting_client_approval'

type Verb = 'approve' | 'reject'

/** Asks for the comment that goes with a decision, about the estimate as it was when the dialog opened. */
export function DecisionDialog({
  decision,
  close,
  ...now
}: {
  estimate: Estimate
  etag: string
  decision: Verb | null
  close: () => void
}) {
  const { question, opening } = useAsOpened(decision !== null, { ...now, verb: decision ?? 'approve' })
  const { estimate, verb } = question
  return (
    <Dialog
      open={decision !== null}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={
        isForClient(estimate)
          ? `Record that the client ${verb === 'reject' ? 'rejected' : 'approved'} ${estimate.number}`
          : `${verb === 'reject' ? 'Reject' : 'Approve'} ${estimate.number}?`
      }
      description={isForClient(estimate) ? 'For a decision by phone or mail. It is kept with your name.' : undefined}
    >
      <DecisionForm key={opening} {...question} close={close} />
    </Dialog>
  )
}

function DecisionForm({
  estimate,
  etag,
  verb,
  close,
}: {
  estimate: Estimate
  etag: string
  verb: Verb
  close: () => void
}) {
  const router = useRouter()
  const [comment, setComment] = useState('')
  const decide = useApiMutation({
    request: () =>
      apiRequest(`POST /api/cost-estimates/{estimate_id}/${verb}`, {
        params: { estimate_id: estimate.id },
        body: { comment },
        ifMatch: etag,
      }),
    success: (after) => `${after.number}: ${verb === 'approve' ? 'approval' : 'rejection'} recorded`,
    onSuccess: close,
    onProblem: (problem) => {
      toastProblem(problem)
      // Decided meanwhile, perhaps in another window: the page behind shows what it is now.
      if (problem.status === 412 || problem.status === 409) refreshSoon(router)
    },
  })
  return (
    <>
      <DialogBody>
        <Field label="Comment" optional>
          <Textarea value={comment} onChange={(event) => setComment(event.target.value)} rows={4} maxLength={5000} />
        </Field>
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          variant={verb === 'reject' ? 'danger' : 'primary'}
          loading={decide.isPending}
          onClick={() => decide.mutate()}
        >
          {verb === 'reject' ? 'Reject' : 'Approve'}
        </Button>
      </DialogFooter>
    </>
  )
}
