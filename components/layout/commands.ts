import type { ReactNode } from 'react'
import type { Shortcut } from '@/lib/client/shortcuts'

/** Something the command palette can go to or do. */
export interface Command {
  id: string
  label: string
  /** Quiet text at the end: the project of a batch, a status. */
  hint?: string
  icon?: ReactNode
  /** Other words it is found by. */
  keywords?: string
  shortcut?: string
  href?: string
  run?: () => void
}

export interface CommandGroup {
  label: string
  items: readonly Command[]
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The commands that hold every word of the query, those whose label begins with it first. Case and accents do not count. */
export function matchCommands(query: string, commands: readonly Command[]): Command[] {
  const wanted = fold(query).trim()
  if (wanted === '') return [...commands]
  const words = wanted.split(/\s+/)
  return commands
    .filter((command) => {
      const text = fold(`${command.label} ${command.hint ?? ''} ${command.keywords ?? ''}`)
      return words.every((word) => text.includes(word))
    })
    .sort((a, b) => Number(fold(b.label).startsWith(wanted)) - Number(fold(a.label).startsWith(wanted)))
}

/** Groups of shortcuts that the palette has as commands already. */
const ELSEWHERE = new Set(['Everywhere', 'Go to', 'Do'])

/** What the screen itself can do by keys, as commands: the palette of the review room approves and rejects. */
export const commandsOf = (shortcuts: readonly Shortcut[]): Command[] =>
  shortcuts
    .filter(({ group }) => !ELSEWHERE.has(group))
    .map(({ keys, label, group, run }) => ({ id: `key ${keys}`, label, hint: group, shortcut: keys, run }))

const RECENT_KEY = 'greenroom:recent-commands'
const RECENT_COUNT = 4

/** What was chosen last, newest first, as commands that can be shown again (those with an address). */
export function readRecent(): Command[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isStoredCommand).slice(0, RECENT_COUNT) : []
  } catch {
    return []
  }
}

export function rememberCommand({ id, label, hint, href }: Command): void {
  if (!href) return
  try {
    const others = readRecent().filter((each) => each.id !== id)
    localStorage.setItem(RECENT_KEY, JSON.stringify([{ id, label, hint, href }, ...others].slice(0, RECENT_COUNT)))
  } catch {
    // Storage is blocked or full: recents are a convenience.
  }
}

function isStoredCommand(value: unknown): value is Command {
  if (value === null || typeof value !== 'object') return false
  const { id, label, href } = value as Partial<Command>
  // Only addresses of our own: the store belongs to the browser, and could hold `javascript:`.
  return typeof id === 'string' && typeof label === 'string' && typeof href === 'string' && /^\/(?!\/)/.test(href)
}
