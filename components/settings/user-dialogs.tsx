'use client'

import type { ReactElement, ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Callout } from '@/components/ui/callout'
import { CopyField } from '@/components/ui/code-block'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { User } from '@/lib/domain/directory/schema'
import { LABELS, ROLES, type Role } from '@/lib/vocabulary'
import { PasswordField } from './password-field'

const WHAT: Record<Role, string> = {
  viewer: 'Sees the projects they are a member of',
  operator: 'Uploads, submits and reviews',
  coordinator: 'Creates projects, batches and upload links',
  administrator: 'Everything, settings and users included',
}

type Values = { name: string; email: string; role: Role; password: string }
type Opening = { trigger?: ReactElement; open?: boolean; onOpenChange?: (open: boolean) => void }

/** Makes a user who may sign in. A password that was given is shown once more, to be handed over. */
export function NewUserDialog({ trigger }: { trigger: ReactElement }) {
  return (
    <FormDialog
      title="New user"
      trigger={trigger}
      defaultValues={{ name: '', email: '', role: 'operator', password: '' }}
      request={({ password, ...body }: Values) =>
        apiRequest('POST /api/users', { body: { ...body, ...(password && { password }) } })
      }
      success="User created"
      submitLabel="Create user"
      result={(user, { password }) => password && <HandOver user={user} password={password} />}
    >
      {(form) => (
        <>
          <UserFields form={form} />
          <ChosenPassword
            form={form}
            label="Password"
            optional
            hint="At least 10 characters. Without one, they sign in through the identity provider only."
          />
        </>
      )}
    </FormDialog>
  )
}

/** Changes name, address or role. */
export function EditUserDialog({ user, etag, ...opening }: { user: User; etag: string } & Opening) {
  return (
    <FormDialog
      {...opening}
      title={`Edit ${user.name}`}
      edited={{
        resource: user,
        etag,
        valuesOf: ({ name, email, role }) => ({ name, email, role, password: '' }),
        fields: { name: 'Name', email: 'E-mail', role: { label: 'Role', show: (role) => LABELS.role[role] } },
      }}
      request={({ password: _, ...body }: Values) =>
        apiRequest('PATCH /api/users/{user_id}', { params: { user_id: user.id }, body })
      }
      success="User saved"
      submitLabel="Save"
    >
      {(form) => <UserFields form={form} />}
    </FormDialog>
  )
}

/** Gives a user a new password; their sessions end. */
export function ResetPasswordDialog({ user, ...opening }: { user: User } & Opening) {
  return (
    <FormDialog
      {...opening}
      title={`New password for ${user.name}`}
      description="Every session of theirs ends at once. They sign in with the new one; their tokens go on."
      defaultValues={{ name: user.name, email: user.email, role: user.role, password: '' }}
      request={({ password }: Values) =>
        apiRequest('PATCH /api/users/{user_id}', { params: { user_id: user.id }, body: { password } })
      }
      success="Password reset"
      submitLabel="Reset password"
      result={(_, { password }) => <HandOver user={user} password={password} />}
    >
      {(form) => <ChosenPassword form={form} label="New password" hint="At least 10 characters." />}
    </FormDialog>
  )
}

export function ResetLinkDialog({ user, ...opening }: { user: User } & Opening) {
  return (
    <FormDialog
      {...opening}
      title={`Reset link for ${user.name}`}
      description="Opening the link lets a person choose a new password for this account. It works once, for one day; a newer link ends it."
      defaultValues={{}}
      request={() => apiRequest('POST /api/users/{user_id}/reset-link', { params: { user_id: user.id }, body: {} })}
      success="Link made"
      submitLabel="Make link"
      result={({ url }) => (
        <div className="flex flex-col gap-4">
          <Callout tone="warn" title="Copy it now">
            It is shown this once. Send it to {user.name} alone.
          </Callout>
          <CopyField value={url} label="Reset link" />
        </div>
      )}
    >
      {() => null}
    </FormDialog>
  )
}

function UserFields({ form }: { form: UseFormReturn<Values> }) {
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
    </>
  )
}

function ChosenPassword({
  form,
  label,
  hint,
  optional = false,
}: {
  form: UseFormReturn<Values>
  label: string
  hint: ReactNode
  optional?: boolean
}) {
  return (
    <Controller
      control={form.control}
      name="password"
      rules={optional ? {} : { required: 'Type the new password, or let one be suggested.' }}
      render={({ field, fieldState }) => (
        <PasswordField
          label={label}
          hint={hint}
          optional={optional}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

function HandOver({ user, password }: { user: User; password: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Callout tone="warn" title={`Hand it to ${user.name} now`}>
        The password is not shown again. They sign in as {user.email} and can change it under Your account.
      </Callout>
      <CopyField value={password} label="password" />
    </div>
  )
}

type Asked = { user: User; open: boolean; onOpenChange: (open: boolean) => void }

/** Disables a user; says what follows before it happens. */
export function DisableDialog({ user, ...opening }: Asked) {
  const disable = useSwitchUser(user, true, `${user.name} is disabled`)
  return (
    <ConfirmDialog {...opening} title={`Disable ${user.name}?`} confirmLabel="Disable user" onConfirm={disable}>
      Their sessions end at once and their tokens stop working. What they did stays, and you can enable them again.
    </ConfirmDialog>
  )
}

/** Enables a user again. */
export function EnableDialog({ user, ...opening }: Asked) {
  const enable = useSwitchUser(user, false, `${user.name} may sign in again`)
  return (
    <ConfirmDialog
      {...opening}
      title={`Enable ${user.name}?`}
      confirmLabel="Enable user"
      tone="primary"
      onConfirm={enable}
    >
      They may sign in again as {LABELS.role[user.role].toLowerCase()}, and those of their tokens that are neither
      expired nor revoked work again.
    </ConfirmDialog>
  )
}

function useSwitchUser(user: User, disabled: boolean, success: string) {
  const change = useApiMutation({
    request: () => apiRequest('PATCH /api/users/{user_id}', { params: { user_id: user.id }, body: { disabled } }),
    success,
    // The dialog stays open and says why.
    onProblem: () => {},
  })
  return () => change.mutateAsync()
}
