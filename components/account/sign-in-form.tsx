'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { signIn } from 'next-auth/react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { refreshSoon } from '@/lib/client/refresh'

const SENTENCES: Record<string, string> = {
  rate_limited: 'Too many attempts. Wait a minute, then try again.',
  CredentialsSignin: 'This e-mail address and password do not go together. Check both and try again.',
  AccessDenied: 'There is no account for this address here. Ask an administrator to make one.',
  OAuthSignin: 'The identity provider did not respond. Try again in a minute, or sign in with a password.',
  OAuthCallback:
    'The identity provider’s response could not be used. Start again; if it stays so, contact an administrator.',
  unreachable: 'The service did not respond. Check your connection and try again.',
}

const sentenceFor = (error: string) =>
  SENTENCES[error] ?? 'Signing in did not work. Try again, or ask an administrator.'

/** What stood behind `#` in the address asked for: the browser carries it along to this page. */
const withHash = (next: string) => (next.includes('#') ? next : `${next}${window.location.hash}`)

/** E-mail and password, and single sign-on where it is set up. The address typed stays when the password was wrong. */
export function SignInForm({
  next,
  initialError,
  singleSignOn,
  providerProblem = null,
}: {
  next: string
  initialError: string | null
  singleSignOn: string | null
  /** Why single sign-on does not work now; null: it does. */
  providerProblem?: string | null
}) {
  const router = useRouter()
  const password = useRef<HTMLInputElement>(null)
  const [error, setError] = useState(initialError)
  const [isPending, setPending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setPending(true)
    setError(null)
    const result = await signIn('credentials', {
      redirect: false,
      email: form.get('email'),
      password: form.get('password'),
    }).catch(() => ({ ok: false, error: 'unreachable' }))
    if (result?.ok) {
      router.replace(withHash(next))
      refreshSoon(router)
      return
    }
    setPending(false)
    setError(result?.error ?? 'unreachable')
    password.current?.focus()
    password.current?.select()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" method="post">
      {error && <Callout tone="fail">{sentenceFor(error)}</Callout>}
      <Field label="E-mail" name="email">
        <Input name="email" type="email" autoComplete="username" required autoFocus />
      </Field>
      <Field label="Password" name="password">
        <Input ref={password} name="password" type="password" autoComplete="current-password" required />
      </Field>
      <Button type="submit" variant="primary" loading={isPending} className="mt-1 w-full justify-center">
        Sign in
      </Button>
      <Link href="/sign-in/forgot" className="link self-start text-sm">
        Forgot your password?
      </Link>
      {singleSignOn && (
        <Button
          type="button"
          variant="secondary"
          className="w-full justify-center"
          disabled={providerProblem !== null}
          onClick={() => signIn('oidc', { callbackUrl: withHash(next) })}
        >
          Continue with {singleSignOn}
        </Button>
      )}
      {singleSignOn && providerProblem && (
        <Callout tone="warn">
          {singleSignOn} cannot be used at the moment: {providerProblem}. Sign in with a password, or reload this page
          in a minute.
        </Callout>
      )}
    </form>
  )
}
