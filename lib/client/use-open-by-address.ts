'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'

/** What opens the dialogs of the page that is shown, by the address that opens each from elsewhere. */
const openers = new Map<string, () => void>()

/** Opens the dialog an address leads to when its page is already shown; otherwise false, and the address is for the router. */
export function openOnThisPage(href: string): boolean {
  const open = openers.get(href)
  open?.()
  return open !== undefined
}

/** A dialog that an address can open (`?new=true`), however often it is followed; the address does not keep it. */
export function useOpenByAddress(param: string): [boolean, (isOpen: boolean) => void] {
  const isAsked = useSearchParams().get(param) === 'true'
  const [isOpen, setOpen] = useState(isAsked)
  useEffect(() => {
    const href = `${window.location.pathname}?${param}=true`
    openers.set(href, () => setOpen(true))
    return () => void openers.delete(href)
  }, [param])
  useEffect(() => {
    if (!isAsked) return
    setOpen(true)
    const url = new URL(window.location.href)
    url.searchParams.delete(param)
    window.history.replaceState(null, '', url)
  }, [isAsked, param])
  return [isOpen, setOpen]
}
