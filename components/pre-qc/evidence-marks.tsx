'use client'

import { cn } from '@/components/ui/cn'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { boxIn, type Focus, placeOf } from './occurrences'

/** The region of a finding, outlined; the rest of the image steps back. Lies over the image it belongs to. */
export function Highlight({ focus, size }: { focus: Focus | null; size: { width: number; height: number } }) {
  const region = focus?.occurrence?.region
  if (!region) return null
  const { left, top, width, height } = boxIn(region, size)
  return (
    <span
      role="img"
      aria-label={`${focus.label}: ${placeOf({ region })}`}
      className="pointer-events-none absolute outline-2 outline-fail [box-shadow:0_0_0_200rem_var(--scrim),inset_0_0_0_1px_white]"
      style={{ left: `${left}%`, top: `${top}%`, width: `max(${width}%, 6px)`, height: `max(${height}%, 6px)` }}
    />
  )
}

/** Every finding that has a time, on one timeline; pressing one jumps to it. */
export function Timeline({
  duration,
  checks,
  focus,
  setFocus,
}: {
  duration: number | undefined
  checks: readonly CheckLine[]
  focus: Focus | null
  setFocus: (focus: Focus) => void
}) {
  const marks = checks.flatMap((check) =>
    (check.occurrences ?? []).flatMap((occurrence) =>
      occurrence.start === undefined ? [] : [{ check, occurrence, start: occurrence.start }],
    ),
  )
  if (!duration || marks.length === 0) return null
  return (
    <ul aria-label="Findings in time" className="relative h-6 rounded-md bg-sunken">
      {marks.map(({ check, occurrence, start }) => {
        const left = Math.min(100, (start / duration) * 100)
        const width = Math.min(100 - left, (Math.max(0, (occurrence.end ?? start) - start) / duration) * 100)
        const isFocused = focus?.occurrence === occurrence
        return (
          <li
            key={`${check.check_id} ${start} ${occurrence.end}`}
            className="absolute inset-y-1"
            style={{ left: `min(${left}%, calc(100% - 8px))`, width: `max(${width}%, 8px)` }}
          >
            <button
              type="button"
              title={`${check.label}: ${placeOf(occurrence)}`}
              aria-label={`${check.label}: ${placeOf(occurrence)}`}
              aria-pressed={isFocused}
              onClick={() => setFocus({ checkId: check.check_id, label: check.label, occurrence })}
              className={cn(
                'size-full rounded-sm opacity-80 hover:opacity-100 aria-pressed:opacity-100 aria-pressed:outline-2 aria-pressed:outline-ink',
                check.status === 'fail' ? 'bg-fail' : 'bg-warn',
              )}
            />
          </li>
        )
      })}
    </ul>
  )
}
