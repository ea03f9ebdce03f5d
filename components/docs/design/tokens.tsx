import { cn } from '@/components/ui/cn'
import { Group, Sample } from './sample'

// Written out: Tailwind finds classes by reading them.
const SURFACES = [
  ['bg-canvas', 'canvas'],
  ['bg-surface', 'surface'],
  ['bg-raised', 'raised'],
  ['bg-sunken', 'sunken'],
  ['bg-hover', 'hover'],
  ['bg-active', 'active'],
] as const
const INKS = [
  ['text-ink', 'ink'],
  ['text-ink-muted', 'ink-muted'],
  ['text-ink-subtle', 'ink-subtle'],
  ['text-accent-ink', 'accent-ink'],
] as const
const TONES = [
  ['border-pass-line bg-pass-soft text-pass-ink', 'pass'],
  ['border-warn-line bg-warn-soft text-warn-ink', 'warn'],
  ['border-fail-line bg-fail-soft text-fail-ink', 'fail'],
  ['border-info-line bg-info-soft text-info-ink', 'info'],
  ['border-accent-line bg-accent-soft text-accent-ink', 'accent'],
  ['border-accent bg-accent text-on-accent', 'accent, filled'],
] as const
const SIZES = [
  ['text-2xs', '2xs, 11: counts'],
  ['text-xs', 'xs, 12: heads of tables, notes'],
  ['text-sm', 'sm, 13: controls, tables'],
  ['text-base', 'base, 14: reading'],
  ['text-lg', 'lg, 16: leads'],
  ['text-xl', 'xl, 20: titles'],
  ['text-2xl', '2xl, 24'],
  ['text-3xl', '3xl, 32: public pages'],
] as const
const STEPS = [
  ['w-1', '1, 4 px'],
  ['w-2', '2, 8 px'],
  ['w-3', '3, 12 px'],
  ['w-4', '4, 16 px'],
  ['w-6', '6, 24 px'],
] as const

/** Colours, type and spacing, each by the class that gives it. */
export const Tokens = () => (
  <Group id="tokens" title="Tokens">
    <Sample name="Surfaces">
      {SURFACES.map(([className, name]) => (
        <span key={name} className={cn('rounded-lg border border-line-strong px-4 py-3 text-sm text-ink', className)}>
          {name}
        </span>
      ))}
    </Sample>
    <Sample name="Text">
      {INKS.map(([className, name]) => (
        <span key={name} className={cn('text-sm', className)}>
          {name}
        </span>
      ))}
    </Sample>
    <Sample name="Status and accent">
      {TONES.map(([className, name]) => (
        <span key={name} className={cn('rounded-md border px-3 py-1.5 text-sm', className)}>
          {name}
        </span>
      ))}
    </Sample>
    <Sample name="Type" stacked>
      {SIZES.map(([className, name]) => (
        <span key={name} className={className}>
          {name}
        </span>
      ))}
    </Sample>
    <Sample name="Spacing">
      {STEPS.map(([className, name]) => (
        <span key={name} className="flex items-center gap-2 text-sm">
          <span aria-hidden="true" className={cn('h-6 rounded-xs bg-accent', className)} />
          {name}
        </span>
      ))}
    </Sample>
  </Group>
)
