import { type ComponentProps, createContext, type SyntheticEvent } from 'react'
import { cn } from './cn'

/** What dialogs and questions look alike in. */

export const backdropStyles =
  'fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

export const dialogPopupStyles = cn(
  'relative flex max-h-[calc(100dvh-2rem)] w-full flex-col overflow-y-auto overscroll-contain border border-line-strong bg-raised text-ink shadow-dialog outline-none',
  'transition-[opacity,scale,translate] duration-150 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0',
  'max-sm:rounded-t-2xl max-sm:border-x-0 max-sm:border-b-0 max-sm:data-ending-style:translate-y-6 max-sm:data-starting-style:translate-y-6',
  'sm:rounded-xl sm:data-ending-style:scale-[0.98] sm:data-starting-style:scale-[0.98]',
)

export const dialogViewportStyles = 'fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-4'

/**
 * React sends the events of a portal on to what stands around it in the tree of components: a form in a dialog would
 * submit the form that opened the dialog, too.
 */
export const stopSubmit = (event: SyntheticEvent) => event.stopPropagation()

/** How what stands in a dialog closes it. */
export const DialogCloser = createContext<() => void>(() => {})

/** Stays in view while the body scrolls. The main button comes last. */
export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn(
        'sticky bottom-0 mt-auto flex flex-wrap items-center justify-end gap-2 border-t border-line bg-raised px-5 py-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))]',
        className,
      )}
      {...props}
    />
  )
}
