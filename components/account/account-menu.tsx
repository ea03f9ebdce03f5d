'use client'

import { KeyRound, UserRound } from 'lucide-react'
import { UserMenu } from '@/components/layout/user-menu'
import { MenuLink } from '@/components/ui/menu'

/** Its code is loaded when it is used. */
async function signOut() {
  const auth = await import('next-auth/react')
  await auth.signOut({ callbackUrl: '/sign-in' })
}

/** The account of the signed-in user. */
export function AccountMenu(user: { name: string; email: string; role: string }) {
  return (
    <UserMenu {...user} signOut={signOut}>
      <MenuLink href="/settings/account" icon={<UserRound />}>
        Your account
      </MenuLink>
      <MenuLink href="/settings/tokens" icon={<KeyRound />}>
        API tokens
      </MenuLink>
    </UserMenu>
  )
}
