import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { Fragment } from 'react'

export interface Crumb {
  label: string
  href?: string
}

/** The way from the top to this page. The last one is the page itself. On phones only the step above is shown. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  if (crumbs.length === 0) return null
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place in the path is what identifies a step
            <Fragment key={index}>
              {index > 0 && (
                <li aria-hidden="true" className="text-ink-subtle max-md:hidden">
                  <ChevronRight className="size-3.5" />
                </li>
              )}
              <li className={isLast ? 'min-w-0' : 'max-w-56 min-w-0 max-md:hidden'}>
                {crumb.href && !isLast ? (
                  <Link
                    href={crumb.href}
                    className="block truncate rounded-md px-1.5 py-0.5 text-ink-muted hover:bg-hover hover:text-ink"
                  >
                    {crumb.label}
                  </Link>
                ) : (
                  <span
                    aria-current={isLast ? 'page' : undefined}
                    className="block truncate px-1.5 font-medium text-ink"
                  >
                    {crumb.label}
                  </span>
                )}
              </li>
            </Fragment>
          )
        })}
      </ol>
    </nav>
  )
}
