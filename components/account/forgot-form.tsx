'use client'

import Link from 'next/link'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'

type Values = { email: string }

/** Asks for a link by mail. The response does not say whether there is such an account. */
export function ForgotForm() {
  const [askedFor, setAskedFor] = useState<string | null>(null)
  const form = useForm<Values>({ defaultValues: { email: '' } })
  const { errors } = form.formState
  const ask = useApiMutation({
    form,
    request: (body: Values) => apiRequest('POST /api/public/password-resets', { body }),
    refresh: false,
    onSuccess: (_, { email }) => setAskedFor(email),
  })
  if (askedFor !== null) {
    return (
      <div className="flex flex-col gap-4">
        <Callout tone="pass" title="Check your mailbox">
          If {askedFor} belongs to an account with a password, a mail with a link is on its way. The link works once,
          for one hour.
        </Callout>
        <Link href="/sign-in" className="link text-sm">
          Back to sign in
        </Link>
      </div>
    )
  }
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => ask.mutate(values))} className="flex flex-col gap-4">
      {errors.root?.server && <Callout tone="fail">{errors.root.server.message}</Callout>}
      <Field label="E-mail" name="email" error={errors.email?.message}>
        <Input
          type="email"
          autoComplete="username"
          {...form.register('email', { required: 'Type the address you sign in with.' })}
        />
      </Field>
      <Button type="submit" variant="primary" loading={ask.isPending} className="w-full justify-center">
        Send the link
      </Button>
      <Link href="/sign-in" className="link text-sm">
        Back to sign in
      </Link>
    </form>
  )
}
