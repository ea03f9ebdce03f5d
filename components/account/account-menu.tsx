'use client'

import { KeyRound, UserRound } from 'lucide-react'
import { signOut } from 'next-auth/react'
import { UserMenu } from '@/components/layout/user-menu'
import { MenuLink } from '@/components/ui/menu'

/** The account of the signed-in user. */
export function AccountMenu(user: { name: string; email: string; role: string }) {
  return (
    <UserMenu {...user} signOut={() => signOut({ callbackUrl: '/sign-in' }).then(() => undefined)}>
      <MenuLink href="/settings/account" icon={<UserRound />}>
        Your account
      </MenuLink>
      <MenuLink href="/settings/tokens" icon={<KeyRound />}>
        API tokens
      </MenuLink>
    </UserMenu>
  )
}
