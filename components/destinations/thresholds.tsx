import { describeChecks } from '@/lib/checks/described'
import { formatNumber } from '@/lib/format'

type Described = { title: string; unit: string | null }

let titles: Map<string, Described> | undefined
function thresholdOf(check: string, key: string): Described {
  titles ??= new Map(
    describeChecks().flatMap(({ id, thresholds }) => thresholds.map((one) => [`${id} ${one.key}`, one] as const)),
  )
  return titles.get(`${check} ${key}`) ?? { title: key, unit: null }
}

/** What a requirement asks for, in words. For server components: it knows the whole catalogue. */
export function Thresholds({ check, thresholds }: { check: string; thresholds: Record<string, unknown> }) {
  const entries = Object.entries(thresholds)
  if (entries.length === 0) return <span className="text-ink-subtle">No threshold</span>
  return (
    <ul className="flex flex-col gap-0.5">
      {entries.map(([key, value]) => {
        const { title, unit } = thresholdOf(check, key)
        return (
          <li key={key} className="wrap-anywhere">
            <span className="text-ink-muted">{title}: </span>
            {inWords(value)}
            {unit && value !== null && typeof value !== 'boolean' && ` ${unit}`}
          </li>
        )
      })}
    </ul>
  )
}

function inWords(value: unknown): string {
  if (value === null) return 'any'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatNumber(value, 3)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, each]) => `${key} ${inWords(each)}`)
      .join(', ')
  }
  return String(value)
}
