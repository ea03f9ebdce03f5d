'use client'

import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { ErrorSummary } from '@/components/ui/error-summary'
import type { ApiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { toast } from '@/lib/client/toast'
import { type Beginning, useEditForm } from '@/lib/client/use-edit-form'
import { EditConflictNotice } from './edit-conflict'

type Props<Values extends FieldValues, Output> = {
  title: string
  description?: string
  /** The button that opens it. Leave out when `open` is controlled. */
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Where it is saved; the types of the values and of the response come from here. */
  request: (values: Values) => ApiRequest<Output>
  /** Said in a toast, unless `result` says it. */
  success: string
  onSuccess?: (result: Output, values: Values) => void
  submitLabel: string
  /** What gets the focus first; otherwise the first control. */
  initialFocus?: ComponentProps<typeof Dialog>['initialFocus']
  /** What is shown instead of the form once it was saved; without it, or with null, the dialog closes. */
  result?: (result: Output, values: Values) => ReactNode
  /** The title above `result`. */
  resultTitle?: string
  children: (form: UseFormReturn<Values>) => ReactNode
} & Beginning<NoInfer<Values>, NoInfer<Output>>

/** A form in a dialog: fields from outside, errors beside them, saved through /api. */
export function FormDialog<Values extends FieldValues, Output>(props: Props<Values, Output>) {
  const [ownOpen, setOwnOpen] = useState(false)
  const [outcome, setOutcome] = useState<ReactNode>(null)
  function setOpen(next: boolean) {
    if (next) setOutcome(null)
    setOwnOpen(next)
    props.onOpenChange?.(next)
  }
  function saved(result: Output, values: Values) {
    const shown = props.result?.(result, values) ?? null
    setOutcome(shown)
    if (shown !== null) return
    setOpen(false)
    toast.success(props.success)
    props.onSuccess?.(result, values)
  }
  return (
    <Dialog
      open={props.open ?? ownOpen}
      onOpenChange={setOpen}
      title={(outcome !== null && props.resultTitle) || props.title}
      description={props.description}
      trigger={props.trigger}
      initialFocus={props.initialFocus}
      size={outcome === null ? 'md' : 'lg'}
    >
      {outcome !== null ? (
        <>
          <DialogBody>{outcome}</DialogBody>
          <DialogFooter>
            <DialogClose>
              <Button variant="primary">Done</Button>
            </DialogClose>
          </DialogFooter>
        </>
      ) : (
        <Form {...props} saved={saved} />
      )}
    </Dialog>
  )
}

function Form<Values extends FieldValues, Output>({
  submitLabel,
  children,
  saved,
  ...props
}: Props<Values, Output> & { saved: (result: Output, values: Values) => void }) {
  const start = props.edited ? { edited: props.edited } : { defaultValues: props.defaultValues }
  const { form, save, submit, conflict } = useEditForm({
    ...start,
    request: props.request,
    onSuccess: saved,
  })
  const { errors, submitCount } = form.formState
  return (
    <form noValidate className="contents" onSubmit={submit}>
      <DialogBody className="flex flex-col gap-4">
        <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
        {conflict && <EditConflictNotice conflict={conflict} />}
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
