'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'

/** A dialog that an address can open (`?new=true`), however often it is followed; the address does not keep it. */
export function useOpenByAddress(param: string): [boolean, (isOpen: boolean) => void] {
  const isAsked = useSearchParams().get(param) === 'true'
  const [isOpen, setOpen] = useState(isAsked)
  useEffect(() => {
    if (!isAsked) return
    setOpen(true)
    const url = new URL(window.location.href)
    url.searchParams.delete(param)
    window.history.replaceState(null, '', url)
  }, [isAsked, param])
  return [isOpen, setOpen]
}
