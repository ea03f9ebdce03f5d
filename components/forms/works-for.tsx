import { type Control, Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { formatDateTime } from '@/lib/format'

const DAY_MS = 86_400_000

/** How long a link works: a number of days, or no end; or what it has already, after the `=`: the day of its end, or nothing. */
export type Lifetime = `${number}` | 'never' | `=${string}`

/** The lifetime of a link that is changed: what it has. */
export const lifetimeOf = ({ expires_at }: { expires_at: string | null }): Lifetime => `=${expires_at ?? ''}`

const isUnchanged = (lifetime: Lifetime) => lifetime.startsWith('=')

export const lifetimeInWords = (lifetime: Lifetime) => {
  if (!isUnchanged(lifetime)) return lifetime === 'never' ? 'without end' : `for ${lifetime} days`
  return lifetime === '=' ? 'without end' : `until ${formatDateTime(lifetime.slice(1))}`
}

/** `days`: what is offered beside no end; what a link has already, where the form was filled with that. */
export function LifetimeField<Values extends FieldValues>({
  control,
  name,
  days,
}: {
  control: Control<Values>
  name: FieldPathByValue<Values, Lifetime>
  days: readonly number[]
}) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, formState: { defaultValues } }) => {
        const before: Lifetime | undefined = defaultValues?.[name]
        return (
          <div className="flex flex-col gap-1.5">
            <p className="text-sm font-medium">Works for</p>
            <SegmentedControl<Lifetime>
              label="Works for"
              value={field.value}
              onValueChange={field.onChange}
              options={[
                ...(before && isUnchanged(before) ? [{ value: before, label: 'As it is' }] : []),
                ...days.map((many) => ({
                  value: `${many}` as const,
                  label: many === 365 ? 'A year' : `${many} days`,
                })),
                { value: 'never', label: 'No end' },
              ]}
            />
          </div>
        )
      }}
    />
  )
}

/** When a link that is made or changed now stops working, as the API takes it; nothing where that stays as it is. */
export const expiryOf = (lifetime: Lifetime): { expires_at?: string | null } => {
  if (isUnchanged(lifetime)) return {}
  return { expires_at: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString() }
}
