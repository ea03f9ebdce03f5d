'use client'

import { Plus } from 'lucide-react'
import { Controller } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { CodeBlock, CopyField } from '@/components/ui/code-block'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { NewToken, Token } from '@/lib/domain/directory/schema'
import { FormDialog } from './form-dialog'

type Values = { name: string; scope: 'read' | 'write'; days: '30' | '90' | '365' | 'never' }

const DAY_MS = 86_400_000

/** Makes a token and shows it once. */
export function NewTokenDialog({ baseUrl }: { baseUrl: string }) {
  return (
    <FormDialog<Values, NewToken>
      title="New API token"
      description="For another system that acts as you, with your rights and never more."
      trigger={
        <Button variant="primary">
          <Plus />
          New token
        </Button>
      }
      defaultValues={{ name: '', scope: 'read', days: '90' }}
      request={({ days, ...body }) => ({
        path: '/api/tokens',
        body: {
          ...body,
          expires_at: days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        },
      })}
      success="Token created"
      submitLabel="Create token"
      result={({ token }) => (
        <div className="flex flex-col gap-4">
          <Callout tone="warn" title="Copy it now">
            It is shown this once; only a hash of it is kept.
          </Callout>
          <CopyField value={token} label="API token" />
          <CodeBlock
            label="Try it with curl"
            code={`curl -H "Authorization: Bearer ${token}" \\\n  ${baseUrl}/api/projects`}
          />
        </div>
      )}
    >
      {({ register, control, formState: { errors } }) => (
        <>
          <Field label="Name" name="name" hint="Which system uses it." error={errors.name?.message}>
            <Input {...register('name', { required: 'Give the token a name.' })} maxLength={100} autoComplete="off" />
          </Field>
          <Field label="May" name="scope" error={errors.scope?.message}>
            <Controller
              control={control}
              name="scope"
              render={({ field }) => (
                <Select
                  value={field.value}
                  onValueChange={field.onChange}
                  options={[
                    { value: 'read', label: 'Read', description: 'See what you see' },
                    { value: 'write', label: 'Read and write', description: 'Also change what you may change' },
                  ]}
                />
              )}
            />
          </Field>
          <Field label="Expires" name="expires_at">
            <Controller
              control={control}
              name="days"
              render={({ field }) => (
                <Select
                  value={field.value}
                  onValueChange={field.onChange}
                  options={[
                    { value: '30', label: 'In 30 days' },
                    { value: '90', label: 'In 90 days' },
                    { value: '365', label: 'In a year' },
                    { value: 'never', label: 'Never' },
                  ]}
                />
              )}
            />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

export function RevokeButton({ token }: { token: Token }) {
  const revoke = useApiMutation({
    request: () => ({ path: `/api/tokens/${token.id}` as const, method: 'DELETE' as const }),
    success: `${token.name} revoked`,
    onProblem: () => {},
  })
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      confirmLabel="Revoke token"
      tone="danger"
      onConfirm={() => revoke.mutateAsync(undefined)}
      trigger={
        <Button size="sm" variant="ghost">
          Revoke
        </Button>
      }
    >
      Systems that use it are shut out at once. This cannot be undone.
    </ConfirmDialog>
  )
}

/** A new password for oneself. */
export function PasswordDialog() {
  return (
    <FormDialog<{ current_password: string; new_password: string }>
      title="Change password"
      trigger={<Button>Change password</Button>}
      defaultValues={{ current_password: '', new_password: '' }}
      request={(body) => ({ path: '/api/users/me/password', body })}
      success="Password changed"
      submitLabel="Change password"
    >
      {({ register, formState: { errors } }) => (
        <>
          <Field label="Password now" name="current_password" error={errors.current_password?.message}>
            <Input
              type="password"
              {...register('current_password', { required: 'Type the password you have now.' })}
              autoComplete="current-password"
            />
          </Field>
          <Field
            label="New password"
            name="new_password"
            hint="At least 10 characters."
            error={errors.new_password?.message}
          >
            <Input
              type="password"
              {...register('new_password', { required: 'Type the new password.' })}
              autoComplete="new-password"
            />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
