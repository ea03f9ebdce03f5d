import type { KnownMediaType } from '@/lib/domain/files/media-types'
import type { MediaCategory } from '@/lib/domain/settings/schema'
import type { PreQcDepth } from '@/lib/vocabulary'

export type CheckSettings = {
  enabled?: boolean
  severity?: 'warning' | 'fail'
  fails_from?: string
  thresholds?: Record<string, unknown>
}
export type ChecksSettings = Record<string, CheckSettings>

export const SIZE_UNITS = ['kB', 'MB', 'GB'] as const
type SizeUnit = (typeof SIZE_UNITS)[number]
const BYTES = { kB: 1e3, MB: 1e6, GB: 1e9 } as const satisfies Record<SizeUnit, number>

/** As the engine has it; the form says it aloud. */
export const USUAL_FLOOR = 0.8

/** A media category as its form holds it: named as on the wire, so that the server's errors find their fields. */
export type CategoryValues = {
  name: string
  naming_template: string
  media_types: string[]
  /** As typed, in `max_file_size_unit`; empty: the service's own limit. */
  max_file_size: string
  max_file_size_unit: SizeUnit
  destinations: string[]
  pre_qc: {
    enabled: boolean
    depth?: PreQcDepth | undefined
    confidence_floor?: number | undefined
    checks: ChecksSettings
  }
}

export function valuesOf(category?: MediaCategory): CategoryValues {
  const bytes = category?.max_file_size ?? null
  // The largest unit that says it exactly in three decimals.
  const unit = SIZE_UNITS.findLast(
    (each) => bytes !== null && bytes >= BYTES[each] && bytes % (BYTES[each] / 1e3) === 0,
  )
  return {
    name: category?.name ?? '',
    naming_template: category?.naming_template ?? '',
    media_types: category?.media_types ?? [],
    max_file_size: bytes === null ? '' : String(bytes / BYTES[unit ?? 'kB']),
    max_file_size_unit: unit ?? (bytes === null ? 'MB' : 'kB'),
    destinations: category?.destinations ?? [],
    pre_qc: {
      ...(category?.pre_qc ?? { enabled: true, checks: {} }),
      depth: category?.pre_qc.depth ?? 'full',
      confidence_floor: category?.pre_qc.confidence_floor ?? USUAL_FLOOR,
    },
  }
}

export const bodyOf = ({ max_file_size, max_file_size_unit, ...values }: CategoryValues) => ({
  ...values,
  naming_template: values.naming_template.trim() || null,
  // The picker offers what the service knows, and no category holds anything else.
  media_types: values.media_types as KnownMediaType[],
  max_file_size: max_file_size.trim() === '' ? null : Math.round(Number(max_file_size) * BYTES[max_file_size_unit]),
})

type Defaults = { isEnabled: boolean; isBlocking: boolean }

/**
 * The settings with those of one check changed. Only what differs from the check's own defaults is stored, so that a
 * category follows them where it says nothing. A threshold or a day of `undefined` is unset.
 */
export function withCheck(
  checks: ChecksSettings,
  { id, isEnabled, isBlocking }: Defaults & { id: string },
  change: CheckSettings,
): ChecksSettings {
  const before = checks[id] ?? {}
  const enabled = change.enabled ?? before.enabled
  const severity = change.severity ?? before.severity
  const fails_from = 'fails_from' in change ? change.fails_from : before.fails_from
  const thresholds = Object.fromEntries(
    Object.entries({ ...before.thresholds, ...change.thresholds }).filter(([, value]) => value !== undefined),
  )
  const settings: CheckSettings = {
    ...(enabled !== undefined && enabled !== isEnabled && { enabled }),
    ...(severity !== undefined && severity !== (isBlocking ? 'fail' : 'warning') && { severity }),
    ...(fails_from !== undefined && { fails_from }),
    ...(Object.keys(thresholds).length > 0 && { thresholds }),
  }
  const { [id]: _, ...others } = checks
  return Object.keys(settings).length > 0 ? { ...others, [id]: settings } : others
}
