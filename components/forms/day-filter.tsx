'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { Input } from '@/components/ui/input'

/** A filter of a list by a day, kept in the address under `param`. Stands in a `FilterBar`. */
export function DayFilter({ param, label }: { param: string; label: string }) {
  const [values, setValues] = useQueryStates(
    { [param]: parseAsString, cursor: parseAsString },
    { shallow: false, clearOnDefault: true },
  )
  return (
    <span className="flex items-center gap-1.5 text-sm text-ink-muted">
      <span aria-hidden="true">{label}</span>
      <Input
        type="date"
        aria-label={label}
        max="9999-12-31"
        value={values[param] ?? ''}
        // While a year is typed, the field has no day yet.
        onValueChange={(day) => setValues({ [param]: day || null, cursor: null })}
        className="w-36"
      />
    </span>
  )
}
