import type { Metadata } from 'next'
import { ForgotForm } from '@/components/account/forgot-form'
import { SignInFrame } from '@/components/layout/sign-in-frame'
import { LinkButton } from '@/components/ui/link-button'
import { env } from '@/lib/env'

export const metadata: Metadata = { title: 'Forgotten password' }

export default function ForgotPage() {
  return (
    <SignInFrame
      title="Forgotten password"
      description={
        env.SMTP_URL
          ? 'You get a mail with a link to choose a new one.'
          : 'This Greenroom sends no mail. Ask an administrator for a link: Settings, Users, Reset link.'
      }
    >
      {env.SMTP_URL ? (
        <ForgotForm />
      ) : (
        <LinkButton href="/sign-in" className="w-full justify-center">
          Back to sign in
        </LinkButton>
      )}
    </SignInFrame>
  )
}
