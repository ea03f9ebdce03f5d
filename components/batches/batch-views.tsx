'use client'

import { CalendarDays, Columns3, List } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { SegmentedControl } from '@/components/ui/segmented-control'

/** Batches as a board by status, as a calendar by the day they are due, or as a list. */
export function BatchViews() {
  const [{ view }, set] = useQueryStates(
    { view: parseAsStringLiteral(['board', 'calendar', 'list']).withDefault('board'), cursor: parseAsString },
    { shallow: false, clearOnDefault: true },
  )
  return (
    <SegmentedControl
      label="Show batches as"
      value={view}
      onValueChange={(next) => set({ view: next, cursor: null })}
      options={[
        { value: 'board', label: 'Board', icon: <Columns3 /> },
        { value: 'calendar', label: 'Calendar', icon: <CalendarDays /> },
        { value: 'list', label: 'List', icon: <List /> },
      ]}
    />
  )
}
