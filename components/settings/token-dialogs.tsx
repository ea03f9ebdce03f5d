'use client'

import { Plus } from 'lucide-react'
import { Controller } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { CodeBlock, CopyField } from '@/components/ui/code-block'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Token } from '@/lib/domain/directory/schema'

type Values = {
  name: string
  scope: 'read' | 'write'
  lifetime: '30' | '90' | '365' | 'never' | 'until'
  expires_at: string
}

const DAY_MS = 86_400_000

/** The time at which a token ends: whole days from now, or the end of a day where this browser is. */
function expiryOf({ lifetime, expires_at }: Pick<Values, 'lifetime' | 'expires_at'>): string | null {
  if (lifetime === 'never') return null
  if (lifetime === 'until') return new Date(`${expires_at}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
}

/** Makes a token and shows it once. */
export function NewTokenDialog({ baseUrl }: { baseUrl: string }) {
  return (
    <FormDialog
      title="New API token"
      description="For another system that acts as you, with your rights and never more."
      trigger={
        <Button variant="primary">
          <Plus />
          New token
        </Button>
      }
      defaultValues={{ name: '', scope: 'read', lifetime: '90', expires_at: '' }}
      request={({ name, scope, ...end }: Values) =>
        apiRequest('POST /api/tokens', { body: { name, scope, expires_at: expiryOf(end) } })
      }
      success="Token created"
      submitLabel="Create token"
      result={({ token }) => (
        <div className="flex flex-col gap-4">
          <Callout tone="warn" title="Copy it now">
            The token is shown this once; only a hash of it is kept. Anyone who has it acts as you.
          </Callout>
          <CopyField value={token} label="API token" />
          <CodeBlock
            label="Example with curl"
            code={`curl ${baseUrl}/api/users/me \\\n  -H "Authorization: Bearer ${token}"`}
          />
        </div>
      )}
    >
      {({ register, control, watch, formState: { errors } }) => (
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
          <Field label="Expires" name="lifetime">
            <Controller
              control={control}
              name="lifetime"
              render={({ field }) => (
                <Select
                  value={field.value}
                  onValueChange={field.onChange}
                  options={[
                    { value: '30', label: 'In 30 days' },
                    { value: '90', label: 'In 90 days' },
                    { value: '365', label: 'In 365 days' },
                    { value: 'until', label: 'After a day of your choice' },
                    { value: 'never', label: 'Never', description: 'Until it is revoked' },
                  ]}
                />
              )}
            />
          </Field>
          {watch('lifetime') === 'until' && (
            <Field label="Last day" name="expires_at" error={errors.expires_at?.message}>
              <Input
                type="date"
                {...register('expires_at', { required: 'Choose the last day on which the token works.' })}
                className="max-w-48"
              />
            </Field>
          )}
        </>
      )}
    </FormDialog>
  )
}

export function RevokeButton({ token }: { token: Token }) {
  const revoke = useApiMutation({
    request: () => apiRequest('DELETE /api/tokens/{token_id}', { params: { token_id: token.id } }),
    success: `${token.name} revoked`,
    onProblem: () => {},
  })
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      confirmLabel="Revoke token"
      tone="danger"
      onConfirm={() => revoke.mutateAsync()}
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      }
    >
      It acts as {token.user.name}. Systems that use it are shut out at once, and this cannot be undone.
    </ConfirmDialog>
  )
}
