'use client'

import { Crosshair } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ownPath } from '@/lib/client/own-path'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { type Focus, isPlace, placeOf } from './occurrences'

const SHOWN = 6

/** Where a finding is, each place a way into the viewer, and the images the check gives as evidence. */
export function CheckPlaces({
  check,
  focus,
  setFocus,
}: {
  check: CheckLine
  focus: Focus | null
  setFocus: (focus: Focus) => void
}) {
  const [showsAll, setShowsAll] = useState(false)
  const places = check.occurrences ?? []
  const shown = showsAll ? places : places.slice(0, SHOWN)
  const evidence = check.evidence ?? []
  const at = { checkId: check.check_id, label: check.label }
  if (places.length + evidence.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      {places.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={`Where ${check.label} found something`}>
          {shown.map((occurrence) => (
            <li key={placeOf(occurrence)}>
              {isPlace(occurrence) ? (
                <Button
                  size="sm"
                  variant={focus?.occurrence === occurrence ? 'soft' : 'secondary'}
                  aria-pressed={focus?.occurrence === occurrence}
                  onClick={() => setFocus({ ...at, occurrence })}
                  className="h-6 px-2 text-xs font-normal tabular-nums"
                >
                  <Crosshair className="size-3" />
                  {placeOf(occurrence)}
                </Button>
              ) : (
                <span className="inline-flex h-6 items-center px-1 text-xs text-ink-muted">{placeOf(occurrence)}</span>
              )}
            </li>
          ))}
          {places.length > SHOWN && (
            <li>
              <Button size="sm" variant="ghost" className="h-6 text-xs" onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? 'Show fewer' : `Show ${places.length - SHOWN} more`}
              </Button>
            </li>
          )}
        </ul>
      )}
      {evidence.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {evidence.map(({ url }, index) => (
            <li key={url}>
              <button
                type="button"
                onClick={() => setFocus({ ...at, evidence: url })}
                aria-pressed={focus?.evidence === url}
                className="block overflow-hidden rounded-md border border-line-strong bg-media hover:border-ink-subtle aria-pressed:outline-2 aria-pressed:outline-focus"
              >
                {/* biome-ignore lint/performance/noImgElement: drawn by the engine in the right size already */}
                <img
                  src={ownPath(url)}
                  alt={`Evidence ${index + 1} of ${check.label}`}
                  loading="lazy"
                  className="h-16 max-w-40 object-contain"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
