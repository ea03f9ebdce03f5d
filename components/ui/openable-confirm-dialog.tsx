'use client'

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type FormEvent, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useAsOpened } from './as-opened'
import { Button } from './button'
import { Callout } from './callout'
import { cn } from './cn'
import { backdropStyles, DialogFooter, dialogPopupStyles, dialogViewportStyles, stopSubmit } from './dialog-parts'
import { Field } from './field'
import { Input } from './input'
import { type Press, useRepeatedPress } from './when-used'

export interface ConfirmDialogProps {
  /** A question that names the thing: `Deactivate link “Spring banners”?` */
  title: string
  /** What follows, with numbers: `3 uploads stay. 2 sessions that are open now end at once.` */
  children: ReactNode
  /** The verb of the title: `Deactivate link`. */
  confirmLabel: string
  /** The safe choice: `Keep editing`. */
  cancelLabel?: string
  tone?: 'danger' | 'primary'
  /** Only for what cannot be undone: the text that must be typed first. */
  typeToConfirm?: string
  /** Closes when it resolves; a rejection's message is shown and the dialog stays. */
  onConfirm: () => Promise<unknown> | unknown
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

export function OpenableConfirmDialog({
  open,
  onOpenChange,
  trigger,
  press,
  ...now
}: ConfirmDialogProps & { press: Press | null }) {
  const triggerRef = useRepeatedPress(press)
  const [ownOpen, setOwnOpen] = useState(false)
  const isOpen = open ?? ownOpen
  const { question, opening } = useAsOpened(isOpen, now)
  const cancelRef = useRef<HTMLButtonElement>(null)
  function setOpen(next: boolean) {
    setOwnOpen(next)
    onOpenChange?.(next)
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      {trigger && <AlertDialog.Trigger ref={triggerRef} render={trigger} />}
      <AlertDialog.Portal>
        {/* Over a dialog, too: the question stands out from the form it is about. */}
        <AlertDialog.Backdrop forceRender className={backdropStyles} />
        <AlertDialog.Viewport className={dialogViewportStyles}>
          <AlertDialog.Popup
            className={cn(dialogPopupStyles, 'sm:max-w-md')}
            initialFocus={question.typeToConfirm ? true : cancelRef}
            onSubmit={stopSubmit}
          >
            <ConfirmForm key={opening} {...question} cancelRef={cancelRef} close={() => setOpen(false)} />
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function ConfirmForm({
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  typeToConfirm,
  onConfirm,
  cancelRef,
  close,
}: Omit<ConfirmDialogProps, 'open' | 'onOpenChange' | 'trigger'> & {
  cancelRef: React.RefObject<HTMLButtonElement | null>
  close: () => void
}) {
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const hintId = useId()
  const isLocked = typeToConfirm !== undefined && typed.trim() !== typeToConfirm
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isLocked || working) return
    setWorking(true)
    setFailure(null)
    try {
      await onConfirm()
      // Closed meanwhile and opened with another question, that one stays open.
      if (isThere.current) close()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'This did not work. Try again.')
    } finally {
      setWorking(false)
    }
  }

  return (
    <form onSubmit={submit} className="flex min-h-0 flex-col">
      <div className="flex flex-col gap-3 px-5 pt-5 pb-4">
        <AlertDialog.Title className="text-lg font-semibold wrap-anywhere">{title}</AlertDialog.Title>
        <AlertDialog.Description render={<div />} className="text-base text-ink-muted">
          {children}
        </AlertDialog.Description>
        {typeToConfirm !== undefined && (
          <Field
            label={
              <span id={hintId}>
                Type <strong className="font-semibold select-all">{typeToConfirm}</strong> to go on
              </span>
            }
          >
            <Input value={typed} onValueChange={setTyped} autoComplete="off" spellCheck={false} />
          </Field>
        )}
        {failure && <Callout tone="fail">{failure}</Callout>}
      </div>
      <DialogFooter>
        <AlertDialog.Close render={<Button ref={cancelRef}>{cancelLabel}</Button>} />
        <Button type="submit" variant={tone} loading={working} disabled={isLocked}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </form>
  )
}
