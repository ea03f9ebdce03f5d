'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { formatDate, formatDateTime, formatRelative } from '@/lib/format'
import { cn } from './cn'

// One clock for every time on the page: it ticks while a component listens.
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
let zone: string | undefined
/** Asked for once: React asks at every render of every time. On a page of 16 files that was 86 ms, on a processor slowed four times. */
const localZone = () => (zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Server and first render agree (UTC); right after, the reader's own zone. */
function useTimeZone(): string {
  return useSyncExternalStore(never, localZone, () => 'UTC')
}

/** The same instant in words, kept current: `3 minutes ago`. The server does not know when: it writes the date. */
export function useRelativeTime(time: number): string {
  const current = useSyncExternalStore<number | null>(subscribe, readClock, () => null)
  useEffect(() => catchUp(time), [time])
  return current === null ? formatDate(time) : formatRelative(time, current)
}

/** The exact time in words, in the reader's zone. */
export const useExactTime = (time: number): string => formatDateTime(time, useTimeZone())

/** `3 minutes ago`, kept current, for places that show the exact time beside it. */
export function PlainRelativeTime({ value, className }: { value: string; className?: string }) {
  const words = useRelativeTime(Date.parse(value))
  return (
    <time dateTime={value} className={cn('whitespace-nowrap', className)}>
      {words}
    </time>
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
