import { invalidField } from './errors'
import { iso } from './shapes'

/** A moment that is given for what ends or is due later; null where there is none. @throws `validation_failed` for one that has passed */
export function futureOrNull({ now }: { now: Date }, field: string, given: string | null | undefined): Date | null {
  if (given == null) return null
  const at = new Date(given)
  if (at <= now)
    throw invalidField(
      field,
      'not_in_future',
      `${field} must lie in the future; “${given}” has passed. It is ${iso(now)} now.`,
    )
  return at
}
