'use client'

import { Drawer as Base } from '@base-ui/react/drawer'
import { X } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { buttonStyles } from './button-styles'
import { cn } from './cn'
import { backdropStyles, stopSubmit } from './dialog-parts'
import { type Press, useRepeatedPress } from './when-used'

const widths = { md: 'max-w-md', lg: 'max-w-2xl', xl: 'max-w-[88rem]', nav: 'max-w-72' } as const

export interface DrawerProps {
  title: ReactNode
  titleHidden?: boolean
  description?: ReactNode
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  side?: 'left' | 'right'
  size?: keyof typeof widths
  footer?: ReactNode
  /** Shortcuts work while the focus is inside it, too. */
  hasShortcuts?: boolean
  /** Beside the title, before the button that closes it. */
  actions?: ReactNode
  /** What it shows reaches its edges and scrolls by itself. */
  isFlush?: boolean
  /** Asked when Escape is pressed: whether that was meant for something inside. */
  keepsOpen?: () => boolean
  children: ReactNode
}

export function OpenableDrawer({
  title,
  titleHidden = false,
  description,
  trigger,
  open,
  onOpenChange,
  side = 'right',
  size = 'md',
  footer,
  hasShortcuts = false,
  actions,
  isFlush = false,
  keepsOpen,
  press,
  children,
}: DrawerProps & { press: Press | null }) {
  const triggerRef = useRepeatedPress(press)
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason, event, cancel }) => {
        const isMeantInside = reason === 'escape-key' && keepsOpen?.()
        // A notice lies over everything, and its button is about what was done in here.
        const isOnNotice = reason === 'outside-press' && (event.target as Element).closest('[data-sonner-toaster]')
        if (!next && (isMeantInside || isOnNotice)) cancel()
        else onOpenChange?.(next)
      }}
      swipeDirection={side}
    >
      {trigger && <Base.Trigger ref={triggerRef} render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={backdropStyles} />
        <Base.Viewport className={cn('fixed inset-0 z-40 flex items-stretch', side === 'right' && 'justify-end')}>
          <Base.Popup
            onSubmit={stopSubmit}
            data-shortcuts={hasShortcuts || undefined}
            className={cn(
              'flex h-full w-[calc(100vw-2.5rem)] flex-col border-line-strong bg-raised text-ink shadow-dialog outline-none',
              'transform-[translateX(var(--drawer-swipe-movement-x))] transition-transform duration-250 ease-out data-swiping:select-none data-swiping:duration-0',
              side === 'right'
                ? 'border-l data-ending-style:transform-[translateX(100%)] data-starting-style:transform-[translateX(100%)]'
                : 'border-r data-ending-style:transform-[translateX(-100%)] data-starting-style:transform-[translateX(-100%)]',
              widths[size],
              isFlush && 'max-sm:w-full',
            )}
          >
            <div
              className={
                titleHidden
                  ? 'sr-only'
                  : cn('flex items-start gap-3 border-b border-line pr-3 pl-5', isFlush ? 'py-2' : 'py-3.5')
              }
            >
              <div className="min-w-0 flex-1">
                <Base.Title
                  className={cn('font-semibold wrap-anywhere', isFlush ? 'line-clamp-2 text-base' : 'text-lg')}
                >
                  {title}
                </Base.Title>
                {description && <Base.Description className="text-sm text-ink-muted">{description}</Base.Description>}
              </div>
              {actions}
              <Base.Close aria-label="Close" className={buttonStyles({ variant: 'ghost', shape: 'icon' })}>
                <X />
              </Base.Close>
            </div>
            <Base.Content
              className={cn(
                'min-h-0 flex-1',
                isFlush ? 'flex flex-col' : 'overflow-y-auto overscroll-contain',
                titleHidden || isFlush ? '' : 'px-5 py-4',
              )}
            >
              {children}
            </Base.Content>
            {footer && (
              <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
                {footer}
              </div>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
