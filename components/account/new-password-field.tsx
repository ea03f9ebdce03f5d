import type { ComponentProps } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

/** A password that users choose for themselves. `name` is its path in the request; further props are the input's. */
export function NewPasswordField({
  label = 'New password',
  name,
  error,
  ...input
}: ComponentProps<typeof Input> & { label?: string; name: string; error: string | undefined }) {
  return (
    <Field label={label} name={name} hint="At least 10 characters; length is what makes it strong." error={error}>
      <Input type="password" name={name} autoComplete="new-password" {...input} />
    </Field>
  )
}
