import { SegmentedControl } from '@/components/ui/segmented-control'

const DAY_MS = 86_400_000

/** How long a link works: a number of days, or `never` for one without end. */
export function WorksFor<Lifetime extends string>({
  value,
  onValueChange,
  options,
}: {
  value: Lifetime | 'never'
  onValueChange: (lifetime: Lifetime | 'never') => void
  options: readonly { value: Lifetime; label: string }[]
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">Works for</p>
      <SegmentedControl<Lifetime | 'never'>
        label="Works for"
        value={value}
        onValueChange={onValueChange}
        options={[...options, { value: 'never', label: 'No end' }]}
      />
    </div>
  )
}

/** When a link that is made or changed now stops working, as the API takes it. */
export const endOf = (lifetime: string): string | null =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
