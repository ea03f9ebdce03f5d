'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { announce } from './announcer'
import { Button } from './button'
import type { ButtonLook } from './button-styles'
import { IconButton } from './icon-button'

/** Copies without the Clipboard API where the page has no secure context (a server on the local network without TLS). */
async function copyText(text: string): Promise<boolean> {
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

/** Copies `text`, shows a check for two seconds and says so. An icon, or a button with words when `showLabel` is set. */
export function CopyButton({
  text,
  label = 'Copy',
  showLabel = false,
  variant,
  size = 'sm',
}: {
  text: string
  label?: string
  showLabel?: boolean
} & ButtonLook) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    const isDone = await copyText(text)
    setIsCopied(isDone)
    announce(isDone ? 'Copied' : 'Copying failed. Select the text and copy it by hand.')
  }
  const icon = isCopied ? <Check className="text-pass-ink" /> : <Copy />
  if (!showLabel) {
    return (
      <IconButton
        label={isCopied ? 'Copied' : label}
        icon={icon}
        size={size}
        variant={variant ?? 'ghost'}
        onClick={copy}
      />
    )
  }
  return (
    <Button size={size} variant={variant} onClick={copy}>
      {icon}
      {isCopied ? 'Copied' : label}
    </Button>
  )
}
