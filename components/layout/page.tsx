import type { ReactNode } from 'react'
import { Breadcrumb, type Crumb } from '@/components/ui/breadcrumb'
import { cn } from '@/components/ui/cn'

const widths = { narrow: 'max-w-3xl', normal: 'max-w-6xl', full: 'max-w-none' } as const

/**
 * One screen: its breadcrumb, and its content in a column. The breadcrumb lies over the free half of the top bar as a
 * sticky sibling, so that it comes with the page from the server and needs no script to get there.
 */
export function Page({
  crumbs,
  width = 'normal',
  className,
  children,
}: {
  crumbs: readonly Crumb[]
  width?: keyof typeof widths
  className?: string
  children: ReactNode
}) {
  return (
    <>
      <div className="pointer-events-none sticky top-0 z-21 -mt-(--topbar-height) flex h-(--topbar-height) shrink-0 items-center pr-36 pl-2.5 sm:pr-88 sm:pl-4.5 print:hidden">
        <div className="pointer-events-auto min-w-0">
          <Breadcrumb crumbs={crumbs} />
        </div>
      </div>
      <div
        className={cn(
          'mx-auto flex w-full min-w-0 flex-1 flex-col gap-6 px-4 py-6 sm:px-6 print:p-0',
          widths[width],
          className,
        )}
      >
        {children}
      </div>
    </>
  )
}
