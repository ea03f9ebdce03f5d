'use client'

import type { ComponentProps, ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { useOnceTrue } from '@/lib/client/use-once-true'

/** A button that opens a form in a file of its own: the button is there from the first paint, the form once it is approached. */
export function DialogButton({
  opening: [isOpen, setOpen],
  load,
  dialog,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick'> & {
  opening: [boolean, (isOpen: boolean) => void]
  /** Fetches the code of `dialog`. */
  load: () => Promise<unknown>
  /** Made by `dynamic`, so that it is there when it is wanted. */
  dialog: ReactNode
}) {
  const wasOpen = useOnceTrue(isOpen)
  // Should it fail, it is asked for again when it is used.
  const comeNear = () => void load().catch(() => {})
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={comeNear}
        onFocus={comeNear}
        onClick={() => setOpen(true)}
        {...button}
      />
      {wasOpen && dialog}
    </>
  )
}
