'use client'

import { signIn } from 'next-auth/react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { NewPasswordField } from './new-password-field'

type Values = { name: string; email: string; password: string }

/** The first administrator, signed in as soon as there is one. */
export function SetupForm({ token }: { token: string }) {
  const form = useForm<Values>({ defaultValues: { name: '', email: '', password: '' } })
  const { errors, submitCount } = form.formState
  const make = useApiMutation({
    form,
    request: (body: Values) => apiRequest('POST /api/public/setup/{token}', { params: { token }, body }),
    refresh: false,
    onSuccess: async (_, { email, password }) => {
      const signedIn = await signIn('credentials', { email, password, redirect: false }).catch(() => null)
      window.location.replace(signedIn?.ok && !signedIn.error ? '/' : '/sign-in')
    },
  })
  return (
    <form
      noValidate
      method="post"
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit((values) => make.mutate(values))}
    >
      <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
      <Field label="Your name" name="name" error={errors.name?.message}>
        <Input {...form.register('name', { required: 'Type your name.' })} autoComplete="name" autoFocus />
      </Field>
      <Field label="E-mail" name="email" error={errors.email?.message}>
        <Input
          type="email"
          {...form.register('email', { required: 'Type your e-mail address.' })}
          autoComplete="username"
        />
      </Field>
      <NewPasswordField
        label="Password"
        error={errors.password?.message}
        {...form.register('password', { required: 'Choose a password.' })}
      />
      <Button
        type="submit"
        variant="primary"
        loading={make.isPending || make.isSuccess}
        className="mt-1 w-full justify-center"
      >
        Make the account and sign in
      </Button>
    </form>
  )
}
