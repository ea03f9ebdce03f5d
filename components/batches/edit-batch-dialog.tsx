'use client'

import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import { type ChoiceSource, nameOf, noteName, peopleWho } from '@/lib/client/choices'
import type { Batch } from '@/lib/domain/batches/schema'
import { phrasesOf } from './phrases'
import { RequiredCopyField, requiredCopyRule } from './required-copy-field'

/** The batch as the page shows it. */
export type Edited = { batch: Batch; etag: string }

type Values = {
  name: string
  operator_id: string | null
  coordinator_id: string | null
  naming_template: string
  required_copy: string
  due_on: string
}

const valuesOf = (batch: Batch): Values => {
  for (const person of [batch.operator, batch.coordinator]) if (person) noteName(person)
  return valuesIn(batch)
}

const valuesIn = (batch: Batch): Values => ({
  name: batch.name,
  operator_id: batch.operator?.id ?? null,
  coordinator_id: batch.coordinator?.id ?? null,
  naming_template: batch.naming_template ?? '',
  required_copy: batch.required_copy.join('\n'),
  due_on: batch.due?.on ?? '',
})

export function EditBatchDialog({
  batch,
  etag,
  ...opening
}: Edited & {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <FormDialog
      {...opening}
      title="Edit batch"
      edited={{
        resource: batch,
        etag,
        valuesOf,
        fields: {
          name: 'Name',
          operator_id: { label: 'Operator', show: nameOf },
          coordinator_id: { label: 'Coordinator', show: nameOf },
          naming_template: 'Naming template',
          required_copy: 'Required copy',
          due_on: 'Due',
        },
      }}
      request={({ naming_template, required_copy, due_on, ...body }: Values) =>
        apiRequest('PATCH /api/projects/{project_id}/batches/{batch_id}', {
          params: { project_id: batch.project_id, batch_id: batch.id },
          body: {
            ...body,
            naming_template: naming_template.trim() || null,
            required_copy: phrasesOf(required_copy),
            due_on: due_on || null,
          },
        })
      }
      success="Batch saved"
      submitLabel="Save"
    >
      {(form) => <EditFields form={form} batch={batch} />}
    </FormDialog>
  )
}

const OPERATORS = peopleWho('operator')
const COORDINATORS = peopleWho('coordinator')

function EditFields({ form, batch }: { form: UseFormReturn<Values>; batch: Batch }) {
  const { errors } = form.formState
  const person = (name: 'operator_id' | 'coordinator_id', source: ChoiceSource, chosen: Batch['operator']) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <RemoteCombobox
          source={source}
          chosen={chosen}
          value={field.value}
          onValueChange={field.onChange}
          onBlur={field.onBlur}
          placeholder="No one yet"
          clearable
        />
      )}
    />
  )
  return (
    <>
      <Field label="Name" name="name" error={errors.name?.message}>
        <Input {...form.register('name', { required: 'Give the batch a name.' })} maxLength={200} />
      </Field>
      <Field label="Operator" name="operator_id" error={errors.operator_id?.message}>
        {person('operator_id', OPERATORS, batch.operator)}
      </Field>
      <Field label="Coordinator" name="coordinator_id" error={errors.coordinator_id?.message}>
        {person('coordinator_id', COORDINATORS, batch.coordinator)}
      </Field>
      <Field
        label="Due"
        name="due_on"
        optional
        hint="The last day on which it should be approved, UTC."
        error={errors.due_on?.message}
      >
        <Input {...form.register('due_on')} type="date" />
      </Field>
      <Field
        label="Naming template"
        name="naming_template"
        optional
        hint="Empty: the media category's."
        error={errors.naming_template?.message}
      >
        <Input {...form.register('naming_template')} className="font-mono" spellCheck={false} />
      </Field>
      <RequiredCopyField
        {...form.register('required_copy', requiredCopyRule)}
        hint="Words every image, video and PDF has to show, one phrase a line: a claim, a price, the small print. Pre-QC reads the files and marks where each phrase is, or what stands in its place. Case, line breaks and punctuation make no difference. Submit again to have files checked that were checked before."
        error={errors.required_copy?.message}
        rows={4}
      />
    </>
  )
}
