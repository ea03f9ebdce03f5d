'use client'

import Link from 'next/link'
import { signIn } from 'next-auth/react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { NewPasswordField } from './new-password-field'

type Values = { new_password: string }

/** The new password of a user who came by a reset link; signs in with it. */
export function NewPasswordForm() {
  const form = useForm<Values>({ defaultValues: { new_password: '' } })
  const { errors } = form.formState
  const save = useApiMutation({
    form,
    request: ({ new_password }: Values) =>
      apiRequest('POST /api/public/password-resets/use', {
        body: { token: window.location.hash.slice(1) || 'missing', new_password },
      }),
    refresh: false,
    onSuccess: async ({ email }, { new_password: password }) => {
      form.reset()
      await signIn('credentials', { email, password, redirect: false }).catch(() => null)
      // As a document: nothing of the user signed in here before stays.
      window.location.assign('/')
    },
  })
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => save.mutate(values))} className="flex flex-col gap-4">
      {errors.root?.server && (
        <Callout tone="fail">
          {errors.root.server.message}{' '}
          <Link href="/sign-in/forgot" className="link">
            Forgotten password
          </Link>
        </Callout>
      )}
      <NewPasswordField
        error={errors.new_password?.message}
        {...form.register('new_password', { required: 'Type the new password.' })}
      />
      <Button type="submit" variant="primary" loading={save.isPending} className="w-full justify-center">
        Save and sign in
      </Button>
    </form>
  )
}
