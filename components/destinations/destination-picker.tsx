'use client'

import { Search } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import type { DestinationSummary } from '@/lib/domain/destinations/schema'
import { formatCount } from '@/lib/format'
import { DESTINATION_FAMILIES, LABELS } from '@/lib/vocabulary'

/** Destinations to be chosen, by family, found by typing. A withdrawn one can only be left out. */
export function DestinationPicker({
  destinations,
  value,
  onChange,
}: {
  destinations: readonly DestinationSummary[]
  value: readonly string[]
  onChange: (value: string[]) => void
}) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const offered = destinations.filter(({ id, withdrawn_at }) => withdrawn_at === null || value.includes(id))
  const shown = offered.filter(({ title, source }) => `${title} ${source.publisher}`.toLowerCase().includes(wanted))
  // In the order of the list, whatever the order of the clicks.
  const choose = (id: string, isOn: boolean) =>
    onChange(offered.filter((each) => (each.id === id ? isOn : value.includes(each.id))).map((each) => each.id))
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="w-full sm:w-72">
          <Input
            type="search"
            aria-label="Search destinations"
            placeholder="Search destinations"
            leading={<Search />}
            value={search}
            onValueChange={setSearch}
          />
        </div>
        <span className="text-sm text-ink-subtle tabular-nums" aria-live="polite">
          {formatCount(value.length, 'destination')} chosen
        </span>
      </div>
      {shown.length === 0 && <p className="text-sm text-ink-muted">No destination matches.</p>}
      <div className="max-h-96 overflow-y-auto overscroll-contain">
        <div className="gap-x-8 p-1 sm:columns-2">
          {DESTINATION_FAMILIES.map((family) => {
            const members = shown.filter((each) => each.family === family)
            if (members.length === 0) return null
            return (
              <fieldset key={family} className="mb-5 break-inside-avoid">
                <legend className="mb-1 text-sm font-medium">{LABELS.destinationFamily[family]}</legend>
                {members.map(({ id, title, withdrawn_at }) => (
                  <Checkbox
                    key={id}
                    label={
                      <>
                        {title} {withdrawn_at && <Badge tone="warn">Withdrawn</Badge>}
                      </>
                    }
                    checked={value.includes(id)}
                    onCheckedChange={(isOn) => choose(id, isOn)}
                  />
                ))}
              </fieldset>
            )
          })}
        </div>
      </div>
    </div>
  )
}
