import { MoveRight } from 'lucide-react'
import type { DescribedCheck } from '@/lib/checks/described'
import type { SettingChange } from '@/lib/domain/settings/rules'
import { formatBytes } from '@/lib/format'
import { sayValue } from './threshold-text'

const NAMES: Record<string, string> = {
  depth: 'How video and audio are read',
  confidence_floor: 'Fails are certain from',
  enabled: 'Runs',
  severity: 'A violation',
  fails_from: 'Fails from',
  naming_template: 'Naming template',
  media_types: 'Media types',
  max_file_size: 'Largest file',
}

/** What differs between two versions, check by check: as it was, and as it is. */
export function SettingChanges({
  changes,
  checks,
}: {
  changes: readonly SettingChange[]
  checks: readonly DescribedCheck[]
}) {
  const groups = new Map<string | null, SettingChange[]>()
  for (const change of changes) groups.set(change.check_id, [...(groups.get(change.check_id) ?? []), change])
  return (
    <ul className="flex flex-col gap-3">
      {[...groups].map(([id, members]) => {
        const check = checks.find((each) => each.id === id)
        return (
          <li key={id ?? 'category'} className="text-sm">
            <p className="font-medium">{id === null ? 'The category' : (check?.label ?? id)}</p>
            <ul>
              {members.map((change) => (
                <ChangeLine key={change.setting} change={change} check={check} />
              ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}

/** What holds where a category says nothing. */
function defaultOf(setting: string, check: DescribedCheck | undefined): unknown {
  if (!check) return undefined
  if (setting === 'enabled') return check.isEnabled
  if (setting === 'severity') return check.isBlocking ? 'fail' : 'warning'
  return check.thresholds.find(({ key }) => setting === `thresholds.${key}`)?.fallback ?? undefined
}

function ChangeLine({ change, check }: { change: SettingChange; check: DescribedCheck | undefined }) {
  const threshold = check?.thresholds.find(({ key }) => change.setting === `thresholds.${key}`)
  const name =
    threshold?.title ??
    (change.check_id === null && change.setting === 'enabled' ? 'Pre-QC' : (NAMES[change.setting] ?? change.setting))
  const say = (value: unknown): string => {
    if (value === undefined || value === null) {
      const comes = defaultOf(change.setting, check)
      return comes === undefined ? 'not set' : `${say(comes)} (default)`
    }
    if (threshold) return sayValue(threshold, value)
    if (change.setting === 'enabled') return value ? 'on' : 'off'
    if (change.setting === 'severity') return value === 'fail' ? 'fails the file' : 'warns'
    if (change.setting === 'max_file_size') return formatBytes(Number(value))
    return Array.isArray(value) && value.length === 0 ? 'all' : String(value)
  }
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 text-ink-muted">
      <span className="min-w-32">{name}</span>
      <del className="wrap-anywhere decoration-fail">{say(change.before)}</del>
      <MoveRight aria-label="became" className="size-3.5 shrink-0 self-center text-ink-subtle" />
      <ins className="font-medium text-ink no-underline wrap-anywhere">{say(change.after)}</ins>
    </li>
  )
}
