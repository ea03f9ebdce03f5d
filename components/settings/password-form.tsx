'use client'

import { useRouter } from 'next/navigation'
import { useForm } from 'react-hook-form'
import { NewPasswordField } from '@/components/account/new-password-field'
import { Button } from '@/components/ui/button'
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { refreshSoon } from '@/lib/client/refresh'
import { useApiMutation } from '@/lib/client/use-api-mutation'

type Values = { current_password: string; new_password: string }

/** A new password for oneself. It ends every session; this one is opened again with the new password. */
export function PasswordForm({ email }: { email: string }) {
  const router = useRouter()
  const form = useForm<Values>({ defaultValues: { current_password: '', new_password: '' } })
  const { errors, submitCount } = form.formState
  const change = useApiMutation({
    form,
    request: (body: Values) => apiRequest('POST /api/users/me/password', { body }),
    success: 'Password changed',
    refresh: false,
    onSuccess: async (_, { new_password: password }) => {
      form.reset()
      const { signIn } = await import('next-auth/react')
      const again = await signIn('credentials', { email, password, redirect: false }).catch(() => null)
      // The page may have been refreshed while no session was open, and so have left for the sign-in page.
      const isBack = again?.ok && !again.error
      router.replace(isBack ? '/settings/account' : '/sign-in?callbackUrl=/settings/account')
      refreshSoon(router)
    },
  })
  return (
    <Card>
      <form noValidate onSubmit={form.handleSubmit((values) => change.mutate(values))}>
        <CardHeader title="Password" description="A new one signs you out everywhere else. Your tokens go on." />
        <CardBody className="flex flex-col gap-4">
          <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <Field label="Current password" name="current_password" error={errors.current_password?.message}>
            <Input
              type="password"
              {...form.register('current_password', { required: 'Type the password you have now.' })}
              autoComplete="current-password"
              className="max-w-sm"
            />
          </Field>
          <NewPasswordField
            error={errors.new_password?.message}
            {...form.register('new_password', { required: 'Type the new password.' })}
            className="max-w-sm"
          />
        </CardBody>
        <CardFooter className="justify-end">
          <Button type="submit" variant="primary" loading={change.isPending}>
            Change password
          </Button>
        </CardFooter>
      </form>
    </Card>
  )
}
