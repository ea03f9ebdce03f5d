import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { controlSize, controlStyles } from '@/components/ui/control-styles'
import { LinkButton } from '@/components/ui/link-button'
import { addDays, type Range } from '@/lib/domain/analytics/rules'

/** Address of the screen with these choices. */
export const analyticsHref = (choices: Record<string, string | undefined>) => {
  const chosen = Object.entries(choices).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return chosen.length === 0 ? '/analytics' : `/analytics?${new URLSearchParams(chosen)}`
}

function presets(today: string): { label: string; range: Range }[] {
  const last = (days: number) => ({ from: addDays(today, 1 - days), to: today })
  return [
    { label: '7 days', range: last(7) },
    { label: '30 days', range: last(30) },
    { label: '90 days', range: last(90) },
    { label: 'This year', range: { from: `${today.slice(0, 4)}-01-01`, to: today } },
  ]
}

/** Which days, as links and as two fields. A plain form: the address is its only state. */
export function RangeBar({
  range,
  today,
  others,
}: {
  range: Range
  today: string
  /** The other choices of the address. */
  others: Record<string, string | undefined>
}) {
  const field = cn(controlStyles, controlSize.md, 'w-auto')
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <nav aria-label="Range of days" className="flex flex-wrap gap-1">
        {presets(today).map((preset) => {
          const isChosen = preset.range.from === range.from && preset.range.to === range.to
          return (
            <LinkButton
              key={preset.label}
              href={analyticsHref({ ...others, ...preset.range })}
              variant={isChosen ? 'soft' : 'ghost'}
              aria-current={isChosen ? 'true' : undefined}
              scroll={false}
            >
              {preset.label}
            </LinkButton>
          )
        })}
      </nav>
      <form key={`${range.from} ${range.to}`} action="/analytics" className="flex flex-wrap items-center gap-2 text-sm">
        {Object.entries(others).map(
          ([name, value]) => value && <input key={name} type="hidden" {...{ name, value }} />,
        )}
        <label className="flex items-center gap-2 text-ink-muted">
          From
          <input type="date" name="from" defaultValue={range.from} max={today} required className={field} />
        </label>
        <label className="flex items-center gap-2 text-ink-muted">
          to
          <input type="date" name="to" defaultValue={range.to} required className={field} />
        </label>
        <Button type="submit">Show</Button>
      </form>
    </div>
  )
}
