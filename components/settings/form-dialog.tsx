'use client'

import { type ReactElement, type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { ErrorSummary } from '@/components/ui/error-summary'
import type { ApiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { useApiMutation } from '@/lib/client/use-api-mutation'

type Props<Values extends FieldValues, Answer> = {
  title: string
  description?: string
  trigger: ReactElement
  defaultValues: DefaultValues<Values>
  request: (values: Values) => ApiRequest & { path: `/api/${string}` }
  success: string
  submitLabel: string
  /** What is shown instead of the form once it was saved; without it the dialog closes. */
  result?: (answer: Answer) => ReactNode
  children: (form: UseFormReturn<Values>) => ReactNode
}

/** A form in a dialog: fields from outside, errors beside them, saved through /api. */
export function FormDialog<Values extends FieldValues, Answer = unknown>(props: Props<Values, Answer>) {
  const [isOpen, setOpen] = useState(false)
  const [answer, setAnswer] = useState<Answer | null>(null)
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) setAnswer(null)
      }}
      title={props.title}
      description={props.description}
      trigger={props.trigger}
    >
      {answer !== null && props.result ? (
        <>
          <DialogBody>{props.result(answer)}</DialogBody>
          <DialogFooter>
            <DialogClose>
              <Button variant="primary">Done</Button>
            </DialogClose>
          </DialogFooter>
        </>
      ) : (
        <Form {...props} saved={(next) => (props.result ? setAnswer(next) : setOpen(false))} />
      )}
    </Dialog>
  )
}

function Form<Values extends FieldValues, Answer>({
  defaultValues,
  request,
  success,
  submitLabel,
  children,
  saved,
}: Props<Values, Answer> & { saved: (answer: Answer) => void }) {
  const form = useForm<Values>({ defaultValues })
  const save = useApiMutation<Values, Answer, Values>({ form, request, success, onSuccess: saved })
  return (
    <form noValidate className="contents" onSubmit={form.handleSubmit((values) => save.mutate(values))}>
      <DialogBody className="flex flex-col gap-4">
        <ErrorSummary errors={listFormErrors(form.formState.errors)} attempt={form.formState.submitCount} />
        {children(form)}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={save.isPending}>
          {submitLabel}
        </Button>
      </DialogFooter>
    </form>
  )
}
