'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { refreshSoon } from '@/lib/client/refresh'

/** Renews the screen by the clock, while it is in sight: for what no live update reports. */
export function RefreshEvery({ seconds }: { seconds: number }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refreshSoon(router)
    }, seconds * 1000)
    return () => clearInterval(timer)
  }, [router, seconds])
  return null
}
