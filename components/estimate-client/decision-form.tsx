'use client'

import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { formatMoney } from '@/lib/currencies'
import type { ClientEstimate } from '@/lib/domain/cost-estimates/schema'
import { formatCount } from '@/lib/format'

type Values = { name: string; comment: string }
type Decision = 'approve' | 'reject'
/** What is sent, put together when the question is asked: the decision can be about nothing else. */
type DecisionInput = {
  decision: Decision
  name: string
  comment?: string
  declined_line_ids?: string[]
  total?: number
}

/** Approve or reject, with a name and a comment. Nothing is sent before it is confirmed. */
export function DecisionForm({
  token,
  estimate,
  declinedIds,
  total,
}: {
  token: string
  estimate: ClientEstimate
  declinedIds: string[]
  total: string
}) {
  const form = useForm<Values>({ defaultValues: { name: '', comment: '' } })
  const { errors, submitCount } = form.formState
  const deciding = useRef<Decision>('approve')
  const [asking, setAsking] = useState<DecisionInput | null>(null)
  const decide = useApiMutation({
    form,
    request: (body: DecisionInput) =>
      apiRequest('POST /api/public/cost-estimates/{token}/decision', { params: { token }, body }),
  })
  const isReject = asking?.decision === 'reject'
  const sum = formatMoney(total, estimate.currency)
  const ask = (decision: Decision) => {
    form.clearErrors()
    deciding.current = decision
    return form.handleSubmit(({ name, comment }) =>
      setAsking({
        decision,
        name: name.trim(),
        ...(comment.trim() !== '' && { comment }),
        ...(decision === 'approve' && { declined_line_ids: declinedIds, total: Number(total) }),
      }),
    )()
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void ask('approve')
      }}
      className="flex flex-col gap-5"
    >
      <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
      <Field label="Your name" name="name" error={errors.name?.message} className="sm:max-w-sm">
        <Input
          {...form.register('name', {
            validate: (name) => name.trim() !== '' || 'Type your name: it is recorded with the decision.',
          })}
          maxLength={200}
          autoComplete="name"
        />
      </Field>
      <Field
        label="Comment"
        name="comment"
        optional
        hint="A purchase order number, a question, or what should change."
        error={errors.comment?.message}
      >
        <Textarea
          {...form.register('comment', {
            // A rejection without a word leaves the other side guessing.
            validate: (comment) =>
              deciding.current === 'approve' ||
              comment.trim() !== '' ||
              'Say in a sentence what should change, so that a better estimate can follow.',
          })}
          rows={3}
          maxLength={5000}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" size="lg" loading={decide.isPending} className="max-sm:w-full">
          Approve for {sum}
        </Button>
        <Button size="lg" disabled={decide.isPending} onClick={() => void ask('reject')} className="max-sm:w-full">
          Reject
        </Button>
      </div>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        tone={isReject ? 'danger' : 'primary'}
        title={isReject ? `Reject estimate ${estimate.number}?` : `Approve ${estimate.number} for ${sum}?`}
        confirmLabel={isReject ? 'Reject estimate' : 'Approve estimate'}
        onConfirm={() => asking && decide.mutateAsync(asking)}
      >
        {isReject ? (
          <>{estimate.contact.name || 'The sender'} is notified at once, with your comment.</>
        ) : (
          <>
            You approve “{estimate.title}” as {asking?.name}
            {declinedIds.length > 0 && <>, without {formatCount(declinedIds.length, 'option')} that you left out</>}.{' '}
            {estimate.terms !== '' && 'The terms above apply. '}
            {estimate.contact.name || 'The sender'} is notified at once.
          </>
        )}
      </ConfirmDialog>
    </form>
  )
}
