import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { copyErrors } from '@/lib/domain/batches/rules'
import { phrasesOf } from './phrases'

/** The rule of the field, for `register`. */
export const requiredCopyRule = {
  validate: (text: string) => copyErrors(phrasesOf(text))[0]?.message ?? true,
}

/** The phrases that every file of a batch has to show, one a line. */
export function RequiredCopyField({
  hint,
  error,
  rows,
  ...registered
}: UseFormRegisterReturn & { hint: string; error: string | undefined; rows: number }) {
  return (
    <Field label="Required copy" name="required_copy" optional hint={hint} error={error}>
      <Textarea {...registered} rows={rows} />
    </Field>
  )
}
