'use client'

import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useApiMutation } from '@/lib/client/use-api-mutation'

/** Opens a protected link; the page shows itself when the password is right. */
export function PasswordForm({ token }: { token: string }) {
  const form = useForm({ defaultValues: { password: '' } })
  const unlock = useApiMutation({
    form,
    request: (body: { password: string }) => ({ path: `/api/public/upload-links/${token}/unlock` as const, body }),
  })
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((values) => unlock.mutate(values))}
      className="flex max-w-sm flex-col gap-4"
    >
      <Field label="Password" name="password" error={form.formState.errors.password?.message}>
        <Input
          type="password"
          autoComplete="off"
          {...form.register('password', { required: 'Type the password you were given.' })}
        />
      </Field>
      <div>
        <Button type="submit" variant="primary" loading={unlock.isPending}>
          Open
        </Button>
      </div>
    </form>
  )
}
