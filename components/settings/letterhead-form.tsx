'use client'

import { useTransition } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { listFormErrors } from '@/lib/client/form-errors'
import { toast } from '@/lib/client/toast'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import { type Letterhead, UNDO_MINUTES_MAX } from '@/lib/domain/settings/schema'

export type LetterheadValues = Pick<Letterhead, 'name' | 'address' | 'tax_id' | 'terms' | 'undo_minutes'>
/** Why something was not saved; `errors` say at which field. */
export type Refusal = { message: string; errors: { path: string; message: string }[] }

const UNREACHED: Refusal = {
  message: 'Greenroom could not be reached. Check your connection, then try again.',
  errors: [],
}

/** Who sends estimates, their terms, and how long a client may change their mind. */
export function LetterheadForm({
  letterhead,
  save,
}: {
  letterhead: Letterhead
  save: (values: LetterheadValues) => Promise<Refusal | null>
}) {
  const [isPending, start] = useTransition()
  const form = useForm<LetterheadValues>({
    defaultValues: {
      name: letterhead.name,
      address: letterhead.address,
      tax_id: letterhead.tax_id,
      terms: letterhead.terms,
      undo_minutes: letterhead.undo_minutes,
    },
  })
  const { errors, isDirty, submitCount } = form.formState
  useUnsavedGuard(isDirty)

  async function submit(values: LetterheadValues) {
    const refused = await save(values).catch(() => UNREACHED)
    if (refused === null) {
      form.reset(values)
      toast.success('Letterhead saved')
      return
    }
    for (const { path, message } of refused.errors) form.setError(path as keyof LetterheadValues, { message })
    if (refused.errors.length === 0) form.setError('root.server', { message: refused.message })
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        form.clearErrors()
        return form.handleSubmit((values) => start(() => submit(values)))(event)
      }}
      className="flex flex-col gap-6"
    >
      <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
      <Card>
        <CardHeader title="Sender" description="As it should stand on an invoice." />
        <CardBody className="flex flex-col gap-5">
          <Field label="Organisation" name="name" error={errors.name?.message} className="max-w-md">
            <Input {...form.register('name')} maxLength={200} autoComplete="organization" />
          </Field>
          <Field label="Address" name="address" error={errors.address?.message} className="max-w-md">
            <Textarea {...form.register('address')} rows={4} maxLength={1000} autoComplete="street-address" />
          </Field>
          <Field label="Tax number" name="tax_id" optional error={errors.tax_id?.message} className="max-w-xs">
            <Input {...form.register('tax_id')} maxLength={60} autoComplete="off" />
          </Field>
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Terms" description="Printed at the end of the PDF, and shown before a client can approve." />
        <CardBody className="flex flex-col gap-5">
          <Field label="Terms" name="terms" optional error={errors.terms?.message}>
            <Textarea {...form.register('terms')} rows={6} maxLength={20_000} />
          </Field>
          <Field
            label="Minutes to take a decision back"
            name="undo_minutes"
            hint="A client who approves or rejects by mistake can undo it for so long. 0: decisions are final at once."
            error={errors.undo_minutes?.message}
          >
            <Input
              {...form.register('undo_minutes', {
                setValueAs: (text: string | number) => (String(text).trim() === '' ? Number.NaN : Number(text)),
                validate: (minutes) =>
                  (Number.isInteger(minutes) && minutes >= 0 && minutes <= UNDO_MINUTES_MAX) ||
                  `Give whole minutes from 0 to ${UNDO_MINUTES_MAX} (a week).`,
              })}
              inputMode="numeric"
              autoComplete="off"
              className="max-w-24"
            />
          </Field>
        </CardBody>
        <CardFooter className="flex items-center gap-3">
          <Button type="submit" variant="primary" loading={isPending}>
            Save
          </Button>
          {isDirty && <span className="text-sm text-ink-muted">Not saved yet</span>}
        </CardFooter>
      </Card>
    </form>
  )
}
