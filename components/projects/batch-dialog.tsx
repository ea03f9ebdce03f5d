'use client'

import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Controller, useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Combobox } from '@/components/ui/combobox'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { listFormErrors } from '@/lib/client/form-errors'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useOpenByAddress } from '@/lib/client/use-open-by-address'
import type { Batch } from '@/lib/domain/batches/schema'
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

export function NewBatchButton(props: Props) {
  const [isOpen, setOpen] = useOpenByAddress('new')
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title="New batch"
      description={`In ${props.project.name}`}
      trigger={
        <Button variant="primary">
          <Plus />
          New batch
        </Button>
      }
    >
      <BatchForm {...props} close={() => setOpen(false)} />
    </Dialog>
  )
}

function BatchForm({ project, mediaCategories, users, close }: Props & { close: () => void }) {
  const router = useRouter()
  const form = useForm<Values>({
    defaultValues: {
      name: '',
      media_category_id: project.media_category?.id ?? null,
      operator_id: null,
      coordinator_id: null,
    },
  })
  const { errors, submitCount } = form.formState
  const create = useApiMutation<Values, Batch, Values>({
    form,
    request: (body) => ({ path: `/api/projects/${project.id}/batches`, body }),
    success: 'Batch created',
    onSuccess: (batch) => {
      close()
      router.push(`/projects/${project.id}/batches/${batch.id}`)
    },
  })
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
    <form noValidate className="contents" onSubmit={form.handleSubmit((values) => create.mutate(values))}>
      <DialogBody className="flex flex-col gap-4">
        <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
        <Field label="Name" name="name" error={errors.name?.message}>
          <Input
            {...form.register('name', { required: 'Give the batch a name.' })}
            maxLength={200}
            autoComplete="off"
          />
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
          {pick('operator_id', 'Nobody yet')}
        </Field>
        <Field
          label="Coordinator"
          name="coordinator_id"
          optional
          error={errors.coordinator_id?.message}
          hint="Is in charge, and told of what arrives."
        >
          {pick('coordinator_id', 'Nobody yet')}
        </Field>
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={create.isPending}>
          Create batch
        </Button>
      </DialogFooter>
    </form>
  )
}

const people = (users: readonly Person[], least: 'operator' | 'coordinator') =>
  users
    .filter((user) => !user.disabled_at && isAtLeast(user.role, least))
    .map(({ id, name, role }) => ({ value: id, label: name, description: LABELS.role[role] }))
