'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ComponentProps, type ReactElement, type ReactNode, useRef } from 'react'
import { buttonStyles } from './button-styles'
import { cn } from './cn'
import { backdropStyles, DialogCloser, dialogPopupStyles, dialogViewportStyles, stopSubmit } from './dialog-parts'
import { useTypedGuard } from './unsaved'
import { type Press, useRepeatedPress } from './when-used'

const widths = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-2xl', xl: 'sm:max-w-4xl' } as const

export interface DialogProps {
  title: ReactNode
  description?: ReactNode
  /** The button that opens it. Leave out when `open` is controlled. */
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  size?: keyof typeof widths
  /** What gets the focus first; otherwise the first control. */
  initialFocus?: ComponentProps<typeof Base.Popup>['initialFocus']
  children: ReactNode
}

export function OpenableDialog({
  title,
  description,
  trigger,
  open,
  onOpenChange,
  size = 'md',
  initialFocus,
  press,
  children,
}: DialogProps & { press: Press | null }) {
  const triggerRef = useRepeatedPress(press)
  const actions = useRef<Base.Root.Actions | null>(null)
  const typed = useTypedGuard()
  const close = () => actions.current?.close()
  return (
    <Base.Root
      open={open}
      actionsRef={actions}
      onOpenChange={(next, details) => {
        // Esc, a press beside it, a swipe: nothing typed is lost by a slip. "Cancel" says what it does.
        if (!next && !['close-press', 'imperative-action'].includes(details.reason) && typed.isUnsaved()) {
          details.cancel()
          typed.closeBy(close)
        } else onOpenChange?.(next)
      }}
    >
      {trigger && <Base.Trigger ref={triggerRef} render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={backdropStyles} />
        <Base.Viewport className={dialogViewportStyles}>
          <Base.Popup
            className={cn(dialogPopupStyles, widths[size])}
            initialFocus={initialFocus}
            onFocusCapture={typed.noteField}
            onSubmit={stopSubmit}
          >
            <div className="px-5 pt-4.5 pr-14 pb-1">
              <Base.Title className="text-lg font-semibold wrap-anywhere">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-0.5 text-sm text-ink-muted">{description}</Base.Description>
              )}
            </div>
            <DialogCloser value={close}>{children}</DialogCloser>
            <button
              type="button"
              aria-label="Close"
              onClick={() => typed.closeBy(close)}
              className={cn(buttonStyles({ variant: 'ghost', shape: 'icon' }), 'absolute top-3 right-3')}
            >
              <X />
            </button>
            {typed.question}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
