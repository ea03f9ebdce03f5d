import type { Metadata } from 'next'
import { CloseTab } from '@/components/account/close-tab'
import { SignInFrame } from '@/components/layout/sign-in-frame'
import { LinkButton } from '@/components/ui/link-button'
import { requireUser } from '@/lib/http/load'

export const metadata: Metadata = { title: 'Signed in' }

/** Where a user ends who signed in again in a second tab, while the first one holds what they typed. */
export default async function SignedInPage() {
  await requireUser()
  return (
    <SignInFrame
      title="You are signed in again"
      description="Close this tab and go on where you were. What you typed is still there."
    >
      <CloseTab />
      <LinkButton href="/" className="w-full justify-center">
        Go to the start
      </LinkButton>
    </SignInFrame>
  )
}
