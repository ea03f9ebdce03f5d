import { cn } from './cn'

const trackStyles = 'h-1.5 w-full overflow-hidden rounded-full bg-active forced-color-adjust-none'
const toneStyles = { accent: 'bg-accent', pass: 'bg-pass', warn: 'bg-warn', fail: 'bg-fail', neutral: 'bg-line-strong' }

/** How far something is, 0 to 100; `null` when it is not known. */
export function ProgressBar({
  value,
  label,
  valueText,
  tone = 'accent',
  className,
}: {
  value: number | null
  /** What progresses, for screen readers: a file name. */
  label: string
  /** Better than the percentage where it says more: `3 of 8 files`. */
  valueText?: string
  tone?: keyof typeof toneStyles
  className?: string
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === null ? undefined : Math.round(value)}
      aria-valuetext={valueText}
      className={cn(trackStyles, className)}
    >
      <div
        className={cn(
          'h-full rounded-full transition-[width] duration-300 ease-out',
          toneStyles[tone],
          value === null && 'w-2/5! animate-indeterminate',
        )}
        style={{ width: `${value ?? 0}%` }}
      />
    </div>
  )
}

/** Parts of a whole as one bar (approved, rejected, pending). The words beside it carry the meaning. */
export function StackedBar({
  parts,
  label,
  className,
}: {
  parts: readonly { value: number; tone: keyof typeof toneStyles; label: string }[]
  label: string
  className?: string
}) {
  const total = parts.reduce((sum, part) => sum + part.value, 0)
  const filled = parts.filter((part) => part.value > 0)
  return (
    <div
      role="img"
      aria-label={`${label}: ${filled.map((part) => `${part.value} ${part.label}`).join(', ') || 'nothing yet'}`}
      className={cn(trackStyles, 'flex gap-0.5', className)}
    >
      {filled.map((part) => (
        <span
          key={part.label}
          className={cn('h-full min-w-1', toneStyles[part.tone])}
          style={{ width: `${(part.value / total) * 100}%` }}
        />
      ))}
    </div>
  )
}
