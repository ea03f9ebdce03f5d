'use client'

import { AlarmClock, Building2, CirclePause, UserRound } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { StatusText, type Tone } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Batch } from '@/lib/domain/batches/schema'
import { formatDate, formatDayMonth } from '@/lib/format'
import { LABELS, type DueState as State } from '@/lib/vocabulary'

const DUE_TONES: Record<State, Tone> = { on_track: 'neutral', at_risk: 'warn', late: 'fail', met: 'pass' }

/** Who holds the batch and since when, and how it stands against its day. */
export function TurnWords({ turn, due }: { turn: Batch['turn']; due: Batch['due'] }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm">
      {turn.holder && turn.since && (
        <span className="inline-flex flex-wrap items-center gap-x-1.5 [&_svg]:size-3.5 [&_svg]:text-ink-subtle">
          {turn.paused_since ? <CirclePause /> : turn.holder === 'agency' ? <Building2 /> : <UserRound />}
          {LABELS.holder[turn.holder]}
          <span className="text-xs text-ink-subtle">
            {turn.paused_since ? (
              'clock stopped'
            ) : (
              <>
                since <RelativeTime value={turn.since} />
              </>
            )}
          </span>
        </span>
      )}
      {due && <DueWords due={due} />}
    </span>
  )
}

/** How long each side has held the batch, both clocks standing while the project is not active. */
export function Clocks({ turn }: { turn: Batch['turn'] }) {
  const now = useSyncExternalStore(everyMinute, currentMinute, () => null)
  const running =
    turn.holder && !turn.paused_since && turn.as_of && now ? Math.max(0, (now - Date.parse(turn.as_of)) / 1000) : 0
  const seconds = {
    agency: turn.agency_seconds + (turn.holder === 'agency' ? running : 0),
    service: turn.service_seconds + (turn.holder === 'service' ? running : 0),
  }
  return (
    <span className="tabular-nums">
      <span className="whitespace-nowrap">Agency {formatSpan(seconds.agency)},</span>{' '}
      <span className="whitespace-nowrap">we {formatSpan(seconds.service)}</span>
    </span>
  )
}

const MINUTE = 60_000
const currentMinute = () => Math.floor(Date.now() / MINUTE) * MINUTE
function everyMinute(listener: () => void) {
  const timer = setInterval(listener, MINUTE)
  return () => clearInterval(timer)
}

/** `2 d 4 h`, `3 h 20 min`, `12 min`. */
function formatSpan(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

/** How a batch stands against its day, where the day itself is said beside it. */
export const DueWord = ({ state }: { state: State }) => (
  <StatusText tone={DUE_TONES[state]}>
    <span className="truncate text-xs">{LABELS.dueState[state]}</span>
  </StatusText>
)

/** With its year where that is not the present one. */
const dayOf = (on: string) => (on.startsWith(String(new Date().getUTCFullYear())) ? formatDayMonth(on) : formatDate(on))

/** The day a batch is due, with how it stands; `At risk, due 12 Jun`. */
export const DueWords = ({ due }: { due: NonNullable<Batch['due']> }) => (
  <StatusText
    tone={DUE_TONES[due.state]}
    icon={due.state === 'on_track' ? <AlarmClock aria-hidden="true" /> : undefined}
  >
    <span className="tabular-nums">
      {due.state === 'met'
        ? 'Met, due'
        : due.state === 'late'
          ? 'Late, due'
          : due.state === 'at_risk'
            ? 'At risk, due'
            : 'Due'}{' '}
      {dayOf(due.on)}
    </span>
  </StatusText>
)
