'use client'

import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { connectToasts } from '@/lib/client/toast'
import { Spinner } from './spinner'

/** `liftedBy`: how far above the lower edge of a phone, where its bars are. */
type ToasterPlace = { position?: 'bottom-right' | 'bottom-left'; liftedBy?: string }

/** The uploads that go on while another page is shown lie in the same corner; on a phone, what is selected does, too. */
const TRAY = 'var(--upload-tray-height, 0px)'
const SELECTION = 'var(--selection-height, 0px)'

/** Where toasts appear. Toasts confirm and offer Undo; errors of a form stay in the form. Use `toast` of `lib/client/toast`. */
export function Toaster({ position = 'bottom-right', liftedBy = '4.75rem' }: ToasterPlace) {
  const { resolvedTheme } = useTheme()
  // After the effect by which Sonner begins to listen.
  useEffect(() => connectToasts(toast), [])
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position={position}
      closeButton
      gap={8}
      offset={{ bottom: `calc(1.25rem + ${TRAY})`, left: 20, right: 20 }}
      mobileOffset={{ bottom: `calc(${liftedBy} + ${TRAY} + ${SELECTION})`, left: '0.75rem', right: '0.75rem' }}
      icons={{
        success: <CircleCheck className="size-4 text-pass-ink" />,
        error: <CircleAlert className="size-4 text-fail-ink" />,
        warning: <TriangleAlert className="size-4 text-warn-ink" />,
        info: <Info className="size-4 text-info-ink" />,
        loading: <Spinner className="text-ink-muted" />,
        close: <X className="size-3.5" />,
      }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: 'Close notice',
        classNames: {
          toast:
            'group flex w-full items-start gap-2.5 rounded-lg border border-line-strong bg-raised py-3 pr-9 pl-3.5 font-sans text-sm text-ink shadow-popover sm:w-(--width)',
          icon: 'mt-0.5 shrink-0',
          content: 'min-w-0 flex-1',
          title: 'font-medium wrap-anywhere',
          description: 'text-ink-muted wrap-anywhere',
          actionButton:
            'order-1 shrink-0 rounded-md border border-line-strong bg-surface px-2 py-0.5 text-xs font-medium text-ink hover:bg-hover min-h-6',
          cancelButton: 'shrink-0 rounded-md px-2 py-0.5 text-xs text-ink-muted hover:bg-hover min-h-6',
          closeButton:
            'absolute top-2 right-2 grid size-6 place-items-center rounded-md text-ink-subtle hover:bg-hover hover:text-ink',
        },
      }}
    />
  )
}
