'use client'

import { type ReactElement, type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { toast } from 'sonner'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { ErrorSummary } from '@/components/ui/error-summary'
import type { ApiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { StaleHelp, useEditedVersion } from './edited-version'

type Props<Values extends FieldValues, Answer> = {
  title: string
  description?: string
  /** The button that opens it. Leave out when `open` is controlled. */
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  defaultValues: DefaultValues<Values>
  /** The ETag of what is edited, as the page shows it. */
  etag?: string
  /** `etag` is that of the version the form was opened with. */
  request: (values: Values, etag: string | undefined) => ApiRequest & { path: `/api/${string}` }
  /** Said in a toast, unless `result` says it. */
  success: string
  submitLabel: string
  /** What is shown instead of the form once it was saved; without it, or with null, the dialog closes. */
  result?: (answer: Answer, values: Values) => ReactNode
  children: (form: UseFormReturn<Values>) => ReactNode
}

/** A form in a dialog: fields from outside, errors beside them, saved through /api. */
export function FormDialog<Values extends FieldValues, Answer = unknown>(props: Props<Values, Answer>) {
  const [ownOpen, setOwnOpen] = useState(false)
  const [outcome, setOutcome] = useState<ReactNode>(null)
  const edited = useEditedVersion(props.etag)
  function setOpen(next: boolean) {
    if (next) setOutcome(null)
    edited.adopt()
    setOwnOpen(next)
    props.onOpenChange?.(next)
  }
  function saved(answer: Answer, values: Values) {
    const shown = props.result?.(answer, values) ?? null
    setOutcome(shown)
    if (shown !== null) return
    setOpen(false)
    toast.success(props.success)
  }
  return (
    <Dialog
      open={props.open ?? ownOpen}
      onOpenChange={setOpen}
      title={props.title}
      description={props.description}
      trigger={props.trigger}
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
        <Form key={edited.version} {...props} edited={edited} saved={saved} />
      )}
    </Dialog>
  )
}

function Form<Values extends FieldValues, Answer>({
  defaultValues,
  request,
  submitLabel,
  children,
  edited,
  saved,
}: Props<Values, Answer> & {
  edited: ReturnType<typeof useEditedVersion>
  saved: (answer: Answer, values: Values) => void
}) {
  const form = useForm<Values>({ defaultValues })
  const { errors, submitCount } = form.formState
  const save = useApiMutation<Values, Answer, Values>({
    form,
    request: (values) => request(values, edited.version),
    onSuccess: saved,
  })
  return (
    <form noValidate className="contents" onSubmit={form.handleSubmit((values) => save.mutate(values))}>
      <DialogBody className="flex flex-col gap-4">
        <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
        {errors.root?.server?.type === 'stale' && <StaleHelp {...edited} />}
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
