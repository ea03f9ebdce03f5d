'use client'

import { CloudOff, LogIn, RefreshCw } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import {
  setNeedsSession,
  setPageTrouble,
  type Trouble,
  tryNow,
  useTrouble,
  watchNetwork,
} from '@/lib/client/connection'
import { guardPageRequests } from '@/lib/client/page-requests'
import { listenSince } from '@/lib/client/use-live'

const WORDS: Record<Trouble, { title: string; detail: string }> = {
  unreachable: { title: 'Greenroom cannot be reached', detail: 'What you typed is still here. Reconnecting' },
  faulty: { title: 'Greenroom does not respond properly', detail: 'What you typed is still here. Trying again' },
  signed_out: { title: 'You were signed out', detail: 'What you typed is still here.' },
  outdated: { title: 'Greenroom was updated', detail: 'Reload when you are done here.' },
  gone: {
    title: 'This page is no longer available',
    detail: 'It was removed, or you may no longer see it. What you typed is still here.',
  },
}

/** Says on every screen, over whatever is open, that it cannot be kept up to date and what to do. */
export function ConnectionBar() {
  const trouble = useTrouble()
  const pathname = usePathname()
  useEffect(() => {
    const ends = [guardPageRequests(), watchNetwork()]
    return () => ends.forEach((end) => void end())
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another matter
  useEffect(() => setPageTrouble(null), [pathname])
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-2 top-14 z-60 flex justify-center md:top-1.5 print:hidden"
    >
      {trouble && (
        <div className="pointer-events-auto flex max-w-full items-center gap-3 rounded-lg border border-warn-line bg-warn-soft py-1.5 pr-1.5 pl-3 text-sm text-ink shadow-popover">
          {trouble === 'unreachable' || trouble === 'faulty' ? (
            <Spinner className="shrink-0 text-warn-ink" />
          ) : (
            <CloudOff aria-hidden="true" className="size-4 shrink-0 text-warn-ink" />
          )}
          <p className="min-w-0">
            <strong className="font-semibold">{WORDS[trouble].title}.</strong> {WORDS[trouble].detail}
          </p>
          <Remedy trouble={trouble} />
        </div>
      )}
    </div>
  )
}

function Remedy({ trouble }: { trouble: Trouble }) {
  if (trouble === 'signed_out') {
    return (
      <Button size="sm" variant="primary" onClick={() => window.open('/sign-in?callbackUrl=%2Fsigned-in', '_blank')}>
        <LogIn aria-hidden="true" />
        Sign in
      </Button>
    )
  }
  if (trouble === 'outdated' || trouble === 'gone') {
    return (
      <Button size="sm" onClick={() => window.location.reload()}>
        <RefreshCw aria-hidden="true" />
        Reload
      </Button>
    )
  }
  return (
    <Button size="sm" onClick={tryNow}>
      Try now
    </Button>
  )
}

/**
 * Stands in every signed-in screen: without a session it cannot be refreshed. `readFrom`: what its live updates go on from. Before
 * everything that listens to them: effects run in this order, and who listens first opens the stream.
 */
export function NeedsSession({ readFrom }: { readFrom: string }) {
  useEffect(() => listenSince(readFrom), [readFrom])
  useEffect(() => {
    setNeedsSession(true)
    return () => setNeedsSession(false)
  }, [])
  return null
}
