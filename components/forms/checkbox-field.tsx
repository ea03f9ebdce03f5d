import { type Control, Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form'
import { Checkbox } from '@/components/ui/checkbox'

/** A yes or no of a form. */
export function CheckboxField<Values extends FieldValues>({
  control,
  name,
  label,
}: {
  control: Control<Values>
  name: FieldPathByValue<Values, boolean>
  label: string
}) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => <Checkbox checked={field.value} onCheckedChange={field.onChange} label={label} />}
    />
  )
}
