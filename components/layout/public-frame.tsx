import type { ReactNode } from 'react'
import { Logo } from '@/components/ui/logo'
import { SkipLink } from './skip-link'

/** Frame of pages for people without an account: a sheet of paper with a sender, not a piece of an admin screen. */
export function PublicFrame({
  sender,
  footer,
  children,
}: {
  /** Who is asking, right of the name: `For Northlight`. */
  sender?: ReactNode
  footer?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <SkipLink />
      <header className="mx-auto flex h-16 w-full max-w-3xl items-center justify-between gap-4 px-4 sm:px-6">
        <Logo />
        {sender && <p className="min-w-0 truncate text-sm text-ink-muted">{sender}</p>}
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-3xl flex-1 px-4 pt-4 pb-16 outline-none sm:px-6 sm:pt-10"
      >
        {children}
      </main>
      <footer className="mx-auto w-full max-w-3xl px-4 pb-8 text-xs text-ink-subtle sm:px-6">
        <div className="border-t border-line pt-4">
          {footer ?? 'Greenroom checks creative files on their way from agency to approval.'}
        </div>
      </footer>
    </div>
  )
}

/** Head of a public page: what is asked for, in the size of a letter's first line. */
export function PublicTitle({
  eyebrow,
  title,
  children,
}: {
  eyebrow?: ReactNode
  title: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="mb-8">
      {eyebrow && <p className="mb-1.5 text-sm font-medium text-accent-ink">{eyebrow}</p>}
      <h1 className="text-2xl font-semibold text-balance wrap-anywhere sm:text-3xl">{title}</h1>
      {children && <div className="mt-2 max-w-prose text-lg text-ink-muted">{children}</div>}
    </div>
  )
}
