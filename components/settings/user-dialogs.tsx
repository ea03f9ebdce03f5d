'use client'

import type { ReactElement } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { User } from '@/lib/domain/directory/schema'
import { LABELS, ROLES, type Role } from '@/lib/vocabulary'
import { FormDialog } from './form-dialog'

const WHAT: Record<Role, string> = {
  viewer: 'Sees the projects they are a member of',
  operator: 'Uploads, submits and reviews',
  coordinator: 'Creates projects, batches and upload links',
  administrator: 'Everything, settings and users included',
}

type Values = { name: string; email: string; role: Role; password: string }

/** Makes a user, or changes one. A new password ends every session of that person. */
export function UserDialog({ user, etag, trigger }: { user?: User; etag?: string; trigger: ReactElement }) {
  return (
    <FormDialog<Values>
      title={user ? `Edit ${user.name}` : 'New user'}
      trigger={trigger}
      defaultValues={{ name: user?.name ?? '', email: user?.email ?? '', role: user?.role ?? 'operator', password: '' }}
      request={({ password, ...body }) => {
        const given = { ...body, ...(password && { password }) }
        return user
          ? { path: `/api/users/${user.id}`, method: 'PATCH', body: given, ifMatch: etag }
          : { path: '/api/users', body: given }
      }}
      success={user ? 'User saved' : 'User created'}
      submitLabel={user ? 'Save' : 'Create user'}
    >
      {(form) => <UserFields form={form} isNew={!user} />}
    </FormDialog>
  )
}

function UserFields({ form, isNew }: { form: UseFormReturn<Values>; isNew: boolean }) {
  const { errors } = form.formState
  return (
    <>
      <Field label="Name" name="name" error={errors.name?.message}>
        <Input {...form.register('name', { required: 'Give the person a name.' })} maxLength={200} autoComplete="off" />
      </Field>
      <Field label="E-mail" name="email" error={errors.email?.message}>
        <Input
          type="email"
          {...form.register('email', { required: 'Give the address they sign in with.' })}
          autoComplete="off"
        />
      </Field>
      <Field label="Role" name="role" error={errors.role?.message}>
        <Controller
          control={form.control}
          name="role"
          render={({ field }) => (
            <Select
              options={ROLES.map((value) => ({ value, label: LABELS.role[value], description: WHAT[value] }))}
              value={field.value}
              onValueChange={field.onChange}
            />
          )}
        />
      </Field>
      <Field
        label={isNew ? 'Password' : 'New password'}
        name="password"
        optional
        error={errors.password?.message}
        hint={
          isNew
            ? 'At least 10 characters. Without one, they sign in through the identity provider only.'
            : 'At least 10 characters. It ends every session of this person.'
        }
      >
        <Input {...form.register('password')} autoComplete="new-password" />
      </Field>
    </>
  )
}

/** Shuts somebody out, or lets them in again. */
export function DisableButton({ user }: { user: User }) {
  const isDisabled = user.disabled_at !== null
  const change = useApiMutation({
    request: () => ({
      path: `/api/users/${user.id}` as const,
      method: 'PATCH' as const,
      body: { disabled: !isDisabled },
    }),
    success: isDisabled ? `${user.name} may sign in again` : `${user.name} is disabled`,
    onProblem: () => {},
  })
  if (isDisabled) {
    return (
      <Button size="sm" variant="ghost" loading={change.isPending} onClick={() => change.mutate(undefined)}>
        Enable
      </Button>
    )
  }
  return (
    <ConfirmDialog
      title={`Disable ${user.name}?`}
      confirmLabel="Disable user"
      tone="danger"
      onConfirm={() => change.mutateAsync(undefined)}
      trigger={
        <Button size="sm" variant="ghost">
          Disable
        </Button>
      }
    >
      Their sessions end at once and their tokens stop working. What they did stays.
    </ConfirmDialog>
  )
}
