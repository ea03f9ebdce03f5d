import { Circle, CircleCheck, CircleDot, CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { Spinner } from './spinner'

export type Tone = 'pass' | 'warn' | 'fail' | 'info' | 'neutral' | 'accent' | 'busy'

const toneStyles: Record<Tone, string> = {
  pass: 'border-pass-line bg-pass-soft text-pass-ink',
  warn: 'border-warn-line bg-warn-soft text-warn-ink',
  fail: 'border-fail-line bg-fail-soft text-fail-ink',
  info: 'border-info-line bg-info-soft text-info-ink',
  neutral: 'border-line-strong bg-sunken text-ink-muted dark:bg-hover',
  accent: 'border-accent-line bg-accent-soft text-accent-ink',
  busy: 'border-info-line bg-info-soft text-info-ink',
}

/** The icon a tone has when no icon is given: status never rests on colour alone (WCAG 1.4.1). */
const toneIcons: Record<Tone, ReactNode> = {
  pass: <CircleCheck aria-hidden="true" />,
  warn: <TriangleAlert aria-hidden="true" />,
  fail: <CircleX aria-hidden="true" />,
  info: <CircleDot aria-hidden="true" />,
  neutral: <Circle aria-hidden="true" />,
  accent: <CircleDot aria-hidden="true" />,
  busy: <Spinner />,
}

const badgeBase =
  'inline-flex h-5 max-w-full items-center gap-1 rounded-full border px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0'

/** A short word about a thing: a type, a role, a version. For states use `StatusBadge`. */
export function Badge({
  tone = 'neutral',
  icon,
  className,
  children,
}: {
  tone?: Tone
  icon?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <span className={cn(badgeBase, toneStyles[tone], className)}>
      {icon}
      <span className="truncate">{children}</span>
    </span>
  )
}

/** A state as word, icon and colour. Give `icon` when the state has an image of its own (paused, locked, expired). */
export function StatusBadge({
  tone,
  icon,
  className,
  children,
}: {
  tone: Tone
  icon?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <Badge tone={tone} icon={icon ?? toneIcons[tone]} className={cn('pl-1.5', className)}>
      {children}
    </Badge>
  )
}

/** The same without a frame, for dense tables: coloured icon, word in ink. */
export function StatusText({ tone, icon, children }: { tone: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0">
      <span className={cn('contents', toneInk[tone])}>{icon ?? toneIcons[tone]}</span>
      {children}
    </span>
  )
}

const toneInk: Record<Tone, string> = {
  pass: 'text-pass-ink',
  warn: 'text-warn-ink',
  fail: 'text-fail-ink',
  info: 'text-info-ink',
  neutral: 'text-ink-subtle',
  accent: 'text-accent-ink',
  busy: 'text-info-ink',
}

/** A number beside a word (unread, results). Nothing at zero. `label` says what is counted. */
export function CountBadge({
  count,
  label,
  tone = 'neutral',
  className,
}: {
  count: number
  label: string
  tone?: 'neutral' | 'accent'
  className?: string
}) {
  if (count === 0) return null
  return (
    <span
      className={cn(
        'inline-grid h-4.5 min-w-4.5 place-items-center rounded-full px-1 text-2xs font-semibold tabular-nums',
        tone === 'accent' ? 'bg-accent text-on-accent' : 'bg-active text-ink-muted',
        className,
      )}
    >
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">
        {count} {label}
      </span>
    </span>
  )
}
