import type { PreQcSettings } from '@/db/schema/directory'
import { DEFAULT_CONFIDENCE_FLOOR } from '@/lib/checks/engine'

/** One setting that differs between two versions; undefined: not set, the check's own default holds. */
export type SettingChange = {
  /** Null: Pre-QC of the whole category. */
  check_id: string | null
  /** `enabled`, `severity`, `fails_from`, or a threshold as `thresholds.max_width`. */
  setting: string
  before: unknown
  after: unknown
}

/** What differs from one version of a category's Pre-QC settings to another, check by check in order of their names. */
export function compareSettings(before: PreQcSettings, after: PreQcSettings): SettingChange[] {
  const changes: SettingChange[] = []
  const note = (check_id: string | null, setting: string, was: unknown, is: unknown) => {
    if (canonical(was) !== canonical(is)) changes.push({ check_id, setting, before: was, after: is })
  }
  note(null, 'enabled', before.enabled, after.enabled)
  note(null, 'depth', before.depth ?? 'full', after.depth ?? 'full')
  const floor = ({ confidence_floor }: PreQcSettings) => confidence_floor ?? DEFAULT_CONFIDENCE_FLOOR
  note(null, 'confidence_floor', floor(before), floor(after))
  for (const id of keysOf(before.checks, after.checks)) {
    const { thresholds: limitsBefore = {}, ...was } = before.checks[id] ?? {}
    const { thresholds: limitsAfter = {}, ...is } = after.checks[id] ?? {}
    for (const key of ['enabled', 'severity', 'fails_from'] as const) note(id, key, was[key], is[key])
    for (const key of keysOf(limitsBefore, limitsAfter))
      note(id, `thresholds.${key}`, limitsBefore[key], limitsAfter[key])
  }
  return changes
}

const keysOf = (...records: object[]) => [...new Set(records.flatMap((record) => Object.keys(record)))].sort()

/** Equal for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner) =>
      inner !== null && typeof inner === 'object' && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'unset'
  )
}
