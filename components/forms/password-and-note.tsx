import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'

/** The rule of the password, for `register`. */
export const passwordRule = {
  validate: (value: string) => value === '' || value.length >= 4 || 'A password has at least 4 characters.',
}

/** What every link to an outsider may have: a password, from its beginning, and a note on its page. `to`: who gets the link. */
export function PasswordAndNote({
  password,
  note,
  errors,
  to,
  page,
}: {
  password?: UseFormRegisterReturn
  note: UseFormRegisterReturn
  errors: FieldErrors<{ password: string; note: string }>
  to: string
  page: string
}) {
  return (
    <>
      {password && (
        <Field
          label="Password"
          name="password"
          optional
          hint={`Give it to ${to} by another way than the link.`}
          error={errors.password?.message}
        >
          <Input {...password} autoComplete="new-password" />
        </Field>
      )}
      <Field label="Note" name="note" optional hint={`Shown on the ${page}.`} error={errors.note?.message}>
        <Textarea {...note} maxLength={2000} rows={2} />
      </Field>
    </>
  )
}
