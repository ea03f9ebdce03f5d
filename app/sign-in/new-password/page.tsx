import type { Metadata } from 'next'
import { NewPasswordForm } from '@/components/account/new-password-form'
import { SignInFrame } from '@/components/layout/sign-in-frame'

export const metadata: Metadata = { title: 'New password' }

/** Where a reset link leads. Its token stands behind `#` and is read by the browser only. */
export default function NewPasswordPage() {
  return (
    <SignInFrame title="Choose a new password" description="It signs you out everywhere else.">
      <NewPasswordForm />
    </SignInFrame>
  )
}
