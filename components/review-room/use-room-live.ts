'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { refreshSoon } from '@/lib/client/refresh'

const BURST_MS = 500
const FALLBACK_MS = 30_000

export const roomKey = (token: string) => ['review-room', token]

/** Keeps the page of a review link current, and shows that the link ended as soon as it does. */
export function useRoomLive(token: string) {
  const router = useRouter()
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: roomKey(token) })
        refreshSoon(router)
      }, BURST_MS)
    }
    const source = new EventSource(`/api/public/review-links/${encodeURIComponent(token)}/live`)
    source.onmessage = refresh
    source.addEventListener('ended', () => {
      source.close()
      // Nothing of it stays in this tab.
      client.removeQueries({ queryKey: roomKey(token) })
      window.location.reload()
    })
    // A refused stream: the link may have ended while the line was down.
    source.onerror = () => source.readyState === EventSource.CLOSED && refresh()
    const fallback = setInterval(() => source.readyState !== EventSource.OPEN && refresh(), FALLBACK_MS)
    return () => {
      source.close()
      clearTimeout(timer)
      clearInterval(fallback)
    }
  }, [token, router, client])
}
