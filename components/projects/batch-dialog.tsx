'use client'

import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { Combobox } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import { useOpenByAddress } from '@/lib/client/use-open-by-address'
import type { User } from '@/lib/domain/directory/schema'
import { isAtLeast } from '@/lib/domain/kernel/permissions'
import type { Project } from '@/lib/domain/projects/schema'
import { LABELS } from '@/lib/vocabulary'

type Person = Pick<User, 'id' | 'name' | 'role' | 'disabled_at'>
type Props = { project: Project; mediaCategories: readonly { id: string; name: string }[]; users: readonly Person[] }
type Values = {
  name: string
  media_category_id: string | null
  operator_id: string | null
  coordinator_id: string | null
}

export function NewBatchButton({ project, ...people }: Props) {
  const router = useRouter()
  const [isOpen, setOpen] = useOpenByAddress('new')
  return (
    <FormDialog
      open={isOpen}
      onOpenChange={setOpen}
      title="New batch"
      description={`In ${project.name}`}
      trigger={
        <Button variant="primary">
          <Plus />
          New batch
        </Button>
      }
      defaultValues={{
        name: '',
        media_category_id: project.media_category?.id ?? null,
        operator_id: null,
        coordinator_id: null,
      }}
      request={(body: Values) =>
        apiRequest('POST /api/projects/{project_id}/batches', { params: { project_id: project.id }, body })
      }
      success="Batch created"
      onSuccess={(batch) => router.push(`/projects/${project.id}/batches/${batch.id}`)}
      submitLabel="Create batch"
    >
      {(form) => <BatchFields {...people} form={form} />}
    </FormDialog>
  )
}

function BatchFields({ form, mediaCategories, users }: Omit<Props, 'project'> & { form: UseFormReturn<Values> }) {
  const { errors } = form.formState
  const choices = {
    media_category_id: mediaCategories.map(({ id, name }) => ({ value: id, label: name })),
    operator_id: people(users, 'operator'),
    coordinator_id: people(users, 'coordinator'),
  }
  const pick = (name: keyof typeof choices, placeholder: string, required?: string) => (
    <Controller
      control={form.control}
      name={name}
      rules={{ required }}
      render={({ field }) => (
        <Combobox
          options={choices[name]}
          value={field.value}
          onValueChange={field.onChange}
          onBlur={field.onBlur}
          placeholder={placeholder}
          clearable
        />
      )}
    />
  )
  return (
    <>
      <Field label="Name" name="name" error={errors.name?.message}>
        <Input {...form.register('name', { required: 'Give the batch a name.' })} maxLength={200} autoComplete="off" />
      </Field>
      <Field
        label="Media category"
        name="media_category_id"
        error={errors.media_category_id?.message}
        hint="Says how files are named, which types are taken and what is checked."
      >
        {pick('media_category_id', 'Choose a category', 'Choose a media category.')}
      </Field>
      <Field
        label="Operator"
        name="operator_id"
        optional
        error={errors.operator_id?.message}
        hint="Reviews the files; needed before the batch can be submitted."
      >
        {pick('operator_id', 'No one yet')}
      </Field>
      <Field
        label="Coordinator"
        name="coordinator_id"
        optional
        error={errors.coordinator_id?.message}
        hint="Is in charge, and notified of what arrives."
      >
        {pick('coordinator_id', 'No one yet')}
      </Field>
    </>
  )
}

const people = (users: readonly Person[], least: 'operator' | 'coordinator') =>
  users
    .filter((user) => !user.disabled_at && isAtLeast(user.role, least))
    .map(({ id, name, role }) => ({ value: id, label: name, description: LABELS.role[role] }))
