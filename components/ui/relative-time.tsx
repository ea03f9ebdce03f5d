'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { formatDate, formatDateTime, formatRelative } from '@/lib/client/format'
import { cn } from './cn'
import { Tooltip } from './tooltip'

// One clock for every time on the page: it ticks while somebody listens.
let now = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 20_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
      now = 0
    }
  }
}

function tick() {
  now = Date.now()
  for (const each of listeners) each()
}

/** What happened since the last tick is not in the future. */
function catchUp(time: number) {
  if (time > now && time <= Date.now()) tick()
}

function readClock(): number {
  if (now === 0) now = Date.now()
  return now
}

const never = () => () => {}
const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Server and first render agree (UTC); right after, the reader's own zone. */
function useTimeZone(): string {
  return useSyncExternalStore(never, localZone, () => 'UTC')
}

/** `3 minutes ago`, kept current; on hover and focus the exact time in the reader's zone. */
export function RelativeTime({
  value,
  focusable = false,
  className,
}: {
  /** ISO 8601 with zone, as the API gives it. */
  value: string
  /** True outside lists: lets the keyboard reach the exact time. In lists it would double the tab stops. */
  focusable?: boolean
  className?: string
}) {
  const time = Date.parse(value)
  // The server does not know when the page will be looked at: it writes the date.
  const current = useSyncExternalStore<number | null>(subscribe, readClock, () => null)
  const zone = useTimeZone()
  useEffect(() => catchUp(time), [time])
  if (Number.isNaN(time)) return null
  return (
    <Tooltip label={formatDateTime(time, zone)}>
      <time dateTime={value} tabIndex={focusable ? 0 : undefined} className={cn('whitespace-nowrap', className)}>
        {current === null ? formatDate(time) : formatRelative(time, current)}
      </time>
    </Tooltip>
  )
}

/** The exact time, `12 May 2026, 14:03 UTC+2`, in the reader's zone. */
export function DateTime({ value, className }: { value: string; className?: string }) {
  const zone = useTimeZone()
  return (
    <time dateTime={value} className={cn('whitespace-nowrap', className)}>
      {formatDateTime(value, zone)}
    </time>
  )
}
