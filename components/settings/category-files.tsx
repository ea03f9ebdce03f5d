import { Controller, type UseFormReturn } from 'react-hook-form'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { type CategoryValues, SIZE_UNITS } from './category-values'
import { MediaTypePicker } from './media-type-picker'

/** Which files a category takes: their types, and how large they may be. */
export function CategoryFiles({ form }: { form: UseFormReturn<CategoryValues> }) {
  const { control } = form
  const { errors } = form.formState
  return (
    <Card>
      <CardHeader
        title="Which files are taken"
        description="Evaluated by content, not by name. With nothing chosen every type is taken that can be evaluated."
      />
      <CardBody className="flex flex-col gap-6">
        <Controller
          control={control}
          name="media_types"
          render={({ field }) => <MediaTypePicker value={field.value} onChange={field.onChange} />}
        />
        <div className="flex items-end gap-2">
          <Field
            label="Largest file"
            name="max_file_size"
            optional
            error={errors.max_file_size?.message}
            className="w-48"
          >
            <Input
              {...form.register('max_file_size', {
                validate: (text) =>
                  text.trim() === '' || Number(text) > 0 || `“${text}” is no size. Give a number above 0, or nothing.`,
              })}
              inputMode="decimal"
              autoComplete="off"
              placeholder="The service’s limit"
            />
          </Field>
          <Controller
            control={control}
            name="max_file_size_unit"
            render={({ field }) => (
              <Select
                aria-label="Unit of the largest file"
                className="w-20"
                value={field.value}
                onValueChange={field.onChange}
                options={SIZE_UNITS.map((unit) => ({ value: unit, label: unit }))}
              />
            )}
          />
        </div>
      </CardBody>
    </Card>
  )
}
