'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { AGENCIES, type ChoiceSource, EVERYBODY, MEDIA_CATEGORIES, PROJECTS } from '@/lib/client/choices'
import { RemoteCombobox } from './remote-combobox'

const SOURCES = {
  agencies: AGENCIES,
  categories: MEDIA_CATEGORIES,
  people: EVERYBODY,
  projects: PROJECTS,
} satisfies Record<string, ChoiceSource>

/** A filter of a list by one of many: found by typing, kept in the address under `param`. Stands in a `FilterBar`. */
export function ChoiceFilter({
  param,
  label,
  from,
  chosen,
}: {
  param: string
  label: string
  from: keyof typeof SOURCES
  /** What the address names; null for none, and for what does not exist. */
  chosen: { id: string; name: string } | null
}) {
  const [values, setValues] = useQueryStates(
    { [param]: parseAsString, cursor: parseAsString },
    { shallow: false, clearOnDefault: true },
  )
  const value = values[param] ?? null
  return (
    <RemoteCombobox
      aria-label={label}
      placeholder={label}
      source={SOURCES[from]}
      chosen={chosen}
      value={value}
      onValueChange={(next) => setValues({ [param]: next, cursor: null })}
      clearable
      className="w-52"
    />
  )
}
