'use client'

import { KeyRound, Link2, LockKeyhole, MoreHorizontal, Pencil, UserRoundCheck, UserRoundX, UserX } from 'lucide-react'
import { useState } from 'react'
import { EraseUserDialog } from '@/components/erasure/erase-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/components/ui/menu'
import type { User } from '@/lib/domain/directory/schema'
import { DisableDialog, EditUserDialog, EnableDialog, ResetLinkDialog, ResetPasswordDialog } from './user-dialogs'

type Task = 'edit' | 'password' | 'link' | 'disable' | 'enable' | 'erase'

/** What can be done with a person, behind one button. */
export function UserActions({ user, etag }: { user: User; etag: string }) {
  const [task, setTask] = useState<Task | null>(null)
  const opening = (which: Task) => ({
    open: task === which,
    onOpenChange: (isOpen: boolean) => setTask(isOpen ? which : null),
  })
  const isDisabled = user.disabled_at !== null
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${user.name}`} icon={<MoreHorizontal />} size="sm" />}>
        <MenuItem icon={<Pencil />} onClick={() => setTask('edit')}>
          Edit
        </MenuItem>
        <MenuItem icon={<LockKeyhole />} onClick={() => setTask('password')}>
          Reset password
        </MenuItem>
        {!isDisabled && (
          <MenuItem icon={<Link2 />} onClick={() => setTask('link')}>
            Reset link
          </MenuItem>
        )}
        <MenuLink icon={<KeyRound />} href={`/settings/tokens?user_id=${user.id}`}>
          API tokens
        </MenuLink>
        <MenuSeparator />
        <MenuItem
          icon={isDisabled ? <UserRoundCheck /> : <UserRoundX />}
          tone={isDisabled ? 'default' : 'danger'}
          onClick={() => setTask(isDisabled ? 'enable' : 'disable')}
        >
          {isDisabled ? 'Enable' : 'Disable'}
        </MenuItem>
        <MenuItem icon={<UserX />} tone="danger" onClick={() => setTask('erase')}>
          Erase
        </MenuItem>
      </Menu>
      <EditUserDialog user={user} etag={etag} {...opening('edit')} />
      <ResetPasswordDialog user={user} {...opening('password')} />
      <ResetLinkDialog user={user} {...opening('link')} />
      <DisableDialog user={user} {...opening('disable')} />
      <EnableDialog user={user} {...opening('enable')} />
      <EraseUserDialog user={user} {...opening('erase')} />
    </>
  )
}
