import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SignInForm } from '@/components/account/sign-in-form'
import { SignInFrame } from '@/components/layout/sign-in-frame'
import { providerProblem } from '@/lib/adapters/identity-provider'
import { env } from '@/lib/env'
import { currentUser } from '@/lib/http/load'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const { callbackUrl, error } = await searchParams
  const next = ownPath(callbackUrl)
  if (await currentUser()) redirect(next)
  return (
    <SignInFrame
      title="Sign in to Greenroom"
      description="Quality control for creative files."
      footer="Agencies need no account: open the upload link you were sent."
    >
      <SignInForm
        next={next}
        initialError={typeof error === 'string' ? error : null}
        singleSignOn={env.AUTH_OIDC_ISSUER ? env.AUTH_OIDC_NAME : null}
        providerProblem={env.AUTH_OIDC_ISSUER ? await providerProblem(env.AUTH_OIDC_ISSUER) : null}
      />
    </SignInFrame>
  )
}

/** Only a path of our own: an address from outside would make the sign-in page an open redirect. */
function ownPath(target: string | string[] | undefined): string {
  if (typeof target !== 'string' || !URL.canParse(target, 'http://own.invalid')) return '/'
  const url = new URL(target, 'http://own.invalid')
  const isOwn = url.host === 'own.invalid' || url.host === new URL(env.BASE_URL).host
  return isOwn && !url.pathname.startsWith('/sign-in') && url.pathname !== '/'
    ? `/${url.pathname.replace(/^\/+/, '')}${url.search}${url.hash}`
    : '/'
}
