'use client'

import dynamic from 'next/dynamic'
import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { addUnsaved, watchWaysOut } from '@/lib/client/unsaved'
import { useOnceTrue } from '@/lib/client/use-once-true'

const ConfirmDialog = dynamic(() => import('./confirm-dialog').then((module) => module.ConfirmDialog), { ssr: false })

type Settle = (may: boolean) => void

/** A question whose choice is a promise. */
function useQuestion() {
  const settleQuestion = useRef<Settle | null>(null)
  const [isAsking, setAsking] = useState(false)
  const settle = (may: boolean) => {
    setAsking(false)
    settleQuestion.current?.(may)
    settleQuestion.current = null
  }
  const ask = () =>
    new Promise<boolean>((resolve) => {
      settleQuestion.current?.(false)
      settleQuestion.current = resolve
      setAsking(true)
    })
  const wasAsked = useOnceTrue(isAsking)
  const question = wasAsked && (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={(isOpen) => !isOpen && settle(false)}
      title="Discard what you typed?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => settle(true)}
    >
      It has not been saved.
    </ConfirmDialog>
  )
  return { ask, question }
}

/** Stands once, at the root: asks before the user leaves a page with something unsaved on it. */
export function UnsavedWork() {
  const { ask, question } = useQuestion()
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => watchWaysOut(() => latest.current()), [])
  return question
}

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * What was typed in a popup, field by field: whatever differs from what stood there when the field was entered. Without
 * a word from the form, so that no dialog can forget it. `question` belongs inside the popup.
 */
export function useTypedGuard(): {
  noteField: (event: FocusEvent) => void
  /** Closes by `close`, after asking when something typed would be lost. */
  closeBy: (close: () => void) => void
  isUnsaved: () => boolean
  question: React.ReactNode
} {
  const before: RefObject<Map<Field, string>> = useRef(new Map<Field, string>())
  const { ask, question } = useQuestion()
  const latest = useRef(ask)
  latest.current = ask
  const isUnsaved = () => [...before.current].some(([field, value]) => field.isConnected && field.value !== value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads refs only
  useEffect(() => addUnsaved({ isUnsaved, ask: () => latest.current() }), [])
  return {
    noteField({ target }) {
      for (const field of before.current.keys()) if (!field.isConnected) before.current.delete(field)
      const isText =
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file', 'button'].includes(target.type))
      if (isText && !target.readOnly && !before.current.has(target)) before.current.set(target, target.value)
    },
    closeBy(close) {
      if (!isUnsaved()) return close()
      void ask().then((may) => {
        if (!may) return
        before.current.clear()
        close()
      })
    },
    isUnsaved,
    question,
  }
}
