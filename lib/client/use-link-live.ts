'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { refreshSoon } from './refresh'

const BURST_MS = 500
const FALLBACK_MS = 30_000

/**
 * Keeps the page of a link current, and shows that the link ended as soon as it does.
 * @param path of its stream
 * @param queryKey of what is shown
 * @param readFrom what the database held when the page was read: what happened since then is heard first
 */
export function useLinkLive(path: string, queryKey: readonly string[], readFrom: string) {
  const router = useRouter()
  const client = useQueryClient()
  // That of the document: a page that is refreshed keeps its stream.
  const [since] = useState(readFrom)
  const words = queryKey.join('\n')
  useEffect(() => {
    const shown = words.split('\n')
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: shown })
        refreshSoon(router)
      }, BURST_MS)
    }
    const source = new EventSource(`${path}?since=${since}`)
    source.onmessage = refresh
    source.addEventListener('ended', () => {
      source.close()
      // Nothing of it stays in this tab.
      client.removeQueries({ queryKey: shown })
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
  }, [path, since, words, router, client])
}
