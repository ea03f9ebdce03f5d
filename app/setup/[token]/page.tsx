import type { Metadata } from 'next'
import { SetupForm } from '@/components/account/setup-form'
import { SignInFrame } from '@/components/layout/sign-in-frame'
import { TooManyRequests } from '@/components/public/too-many-requests'
import { getSetup } from '@/lib/domain/directory/setup'
import { loadWithin, TooSoon } from '@/lib/http/load'

// The address is the right to make an administrator: no other site and no search engine gets it.
export const metadata: Metadata = {
  title: 'Set up Greenroom',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

/** Where the administrator who installed the service makes the first account. */
export default async function SetupPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const setup = await loadWithin(getSetup, { token })
  if (setup instanceof TooSoon) return <TooManyRequests seconds={setup.seconds} />
  return (
    <SignInFrame
      title="Set up Greenroom"
      description="Make the first account. It is an administrator’s: it can add all others."
      footer="This address works once. It is good until the account is made."
    >
      <SetupForm token={token} />
    </SignInFrame>
  )
}
