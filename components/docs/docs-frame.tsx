import Link from 'next/link'
import type { ReactNode } from 'react'
import { SkipLink } from '@/components/layout/skip-link'
import { cn } from '@/components/ui/cn'
import { Logo } from '@/components/ui/logo'

const PAGES = [
  { href: '/docs/api', label: 'Interface' },
  { href: '/docs/errors', label: 'Errors' },
] as const

/** Frame of the developers' pages: what there is at the left, what it says at the right. No account needed. */
export function DocsFrame({
  current,
  contents,
  children,
}: {
  current: (typeof PAGES)[number]['href'] | '/docs/design'
  contents: ReactNode
  children: ReactNode
}) {
  return (
    <div className="min-h-dvh bg-canvas">
      <SkipLink />
      <header className="sticky top-0 z-10 border-b border-line bg-canvas">
        <div className="mx-auto flex h-14 max-w-7xl items-center gap-x-8 px-4 sm:px-6">
          <Logo />
          <nav aria-label="Documentation" className="flex gap-x-5 text-sm">
            {PAGES.map(({ href, label }) => (
              <Link
                key={href}
                href={href}
                aria-current={href === current ? 'page' : undefined}
                className={cn('py-1', href === current ? 'font-medium text-ink' : 'text-ink-muted hover:text-ink')}
              >
                {label}
              </Link>
            ))}
            <a href="/api/openapi.json" className="py-1 text-ink-muted hover:text-ink">
              OpenAPI
            </a>
          </nav>
        </div>
      </header>
      <div className="mx-auto grid max-w-7xl gap-x-10 px-4 sm:px-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <aside className="max-lg:hidden">
          <div className="sticky top-14 max-h-[calc(100dvh-3.5rem)] overflow-y-auto py-8 pr-2">{contents}</div>
        </aside>
        <details className="border-b border-line py-3 lg:hidden">
          <summary className="text-sm font-medium">Contents</summary>
          <div className="pt-3">{contents}</div>
        </details>
        <main id="main" tabIndex={-1} className="min-w-0 py-8 outline-none lg:py-10">
          {children}
        </main>
      </div>
    </div>
  )
}
