'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { ReceiptBook } from './receipt'

/** The receipt of a link in this browser; null on the server, and before the page has woken up. */
export function useReceipt(token: string) {
  const [book, setBook] = useState<ReceiptBook | null>(null)
  useEffect(() => {
    const own = new ReceiptBook(token, shelf())
    setBook(own)
    window.addEventListener('pagehide', own.write)
    return () => {
      window.removeEventListener('pagehide', own.write)
      own.write()
    }
  }, [token])
  const receipt = useSyncExternalStore(book?.subscribe ?? never, book?.current ?? nothing, nothing)
  return { book, receipt }
}

const never = () => () => {}
const nothing = () => null

/** Browsers that keep nothing throw at the mention of it. */
function shelf(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}
