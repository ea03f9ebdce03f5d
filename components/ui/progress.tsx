'use client'

import { Progress as Base } from '@base-ui/react/progress'
import { cn } from './cn'

const toneStyles = { accent: 'bg-accent', pass: 'bg-pass', warn: 'bg-warn', fail: 'bg-fail', neutral: 'bg-line-strong' }

/** How far something is, 0 to 100; `null` when nobody can say. */
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
    <Base.Root
      value={value}
      aria-label={label}
      getAriaValueText={valueText ? () => valueText : undefined}
      className={cn('w-full', className)}
    >
      <Base.Track className="block h-1.5 overflow-hidden rounded-full bg-active">
        <Base.Indicator
          className={cn(
            'block h-full rounded-full transition-[width] duration-300 ease-out',
            toneStyles[tone],
            value === null && 'w-2/5! animate-indeterminate',
          )}
        />
      </Base.Track>
    </Base.Root>
  )
}

const RADIUS = 7
const LENGTH = 2 * Math.PI * RADIUS

/** The same as a small ring, for rows and buttons. */
export function ProgressRing({
  value,
  label,
  tone = 'accent',
  className,
}: {
  value: number
  label: string
  tone?: keyof typeof ringStyles
  className?: string
}) {
  const share = Math.min(100, Math.max(0, value)) / 100
  return (
    <svg
      viewBox="0 0 18 18"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className={cn('size-4.5 -rotate-90', className)}
    >
      <circle cx="9" cy="9" r={RADIUS} fill="none" strokeWidth="2.5" className="stroke-active" />
      <circle
        cx="9"
        cy="9"
        r={RADIUS}
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - share)}
        className={cn('transition-[stroke-dashoffset] duration-300 ease-out', ringStyles[tone])}
      />
    </svg>
  )
}

const ringStyles = { accent: 'stroke-accent', pass: 'stroke-pass', warn: 'stroke-warn', fail: 'stroke-fail' }

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
      className={cn('flex h-1.5 w-full gap-0.5 overflow-hidden rounded-full bg-active', className)}
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
