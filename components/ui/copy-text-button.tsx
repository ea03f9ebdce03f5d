'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { announce } from './announcer'
import { Button } from './button'
import type { ButtonStyle } from './button-styles'

/** Copies without the Clipboard API where the page has no secure context (a server on the local network without TLS). */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // Permission refused: the old way below may still work.
    }
  }
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** Copies a text, says so, and knows for two seconds that it did. */
export function useCopy(text: string | (() => string)) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  async function copy() {
    const isDone = await copyText(typeof text === 'string' ? text : text())
    setIsCopied(isDone)
    announce(isDone ? 'Copied' : 'Copying failed. Select the text and copy it by hand.')
  }
  return { isCopied, copy, icon: isCopied ? <Check className="text-pass-ink" /> : <Copy /> }
}

/** Copies `text`, with words; shows a check for two seconds and says so. Light: it has no tooltip. */
export function CopyTextButton({
  text,
  label = 'Copy',
  name,
  variant,
  size = 'sm',
}: {
  /** A function where it takes work to write. */
  text: string | (() => string)
  label?: string
  /** The accessible name where the words alone do not say what is copied. */
  name?: string
} & ButtonStyle) {
  const { isCopied, copy, icon } = useCopy(text)
  return (
    <Button size={size} variant={variant} onClick={copy} aria-label={isCopied ? undefined : name}>
      {icon}
      {isCopied ? 'Copied' : label}
    </Button>
  )
}
