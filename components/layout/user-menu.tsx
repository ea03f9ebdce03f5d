'use client'

import { Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { type ReactNode, useTransition } from 'react'
import { Avatar } from '@/components/ui/avatar'
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '@/components/ui/menu'
import { initials } from '@/lib/format'
import { useShell } from './shell-state'

const SCHEMES = [
  { value: 'system', label: 'As the system', icon: <Monitor /> },
  { value: 'light', label: 'Light', icon: <Sun /> },
  { value: 'dark', label: 'Dark', icon: <Moon /> },
] as const

/** Who is signed in, the colour scheme, and signing out. `signOut` may be a server action. */
export function UserMenu({
  name,
  email,
  role,
  signOut,
  children,
}: {
  name: string
  email: string
  /** The role in words: `Coordinator`. */
  role: string
  signOut: () => void | Promise<void>
  /** Further items: `MenuLink` to the profile, tokens. */
  children?: ReactNode
}) {
  const { theme, setTheme } = useTheme()
  const { setHelpOpen } = useShell()
  const [isLeaving, startLeaving] = useTransition()
  return (
    <Menu
      className="w-60"
      trigger={
        <button
          type="button"
          // What is visible is in it, for those who press by voice.
          aria-label={`${initials(name)}, account of ${name}`}
          className="grid size-8 place-items-center rounded-full hover:bg-hover data-popup-open:bg-hover pointer-coarse:size-10"
        >
          <Avatar name={name} />
        </button>
      }
    >
      <div className="px-2 pt-1.5 pb-2">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-xs text-ink-muted">{email}</p>
        <p className="text-xs text-ink-muted">{role}</p>
      </div>
      <MenuSeparator />
      {children}
      <MenuRadioGroup label="Colours" value={theme ?? 'system'} onValueChange={setTheme} options={SCHEMES} />
      <MenuSeparator />
      <MenuItem icon={<Keyboard />} shortcut="?" onClick={() => setHelpOpen(true)}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={<LogOut />} disabled={isLeaving} onClick={() => startLeaving(async () => void (await signOut()))}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
