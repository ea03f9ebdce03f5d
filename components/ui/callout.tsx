import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

const styles = {
  info: { frame: 'border-info-line bg-info-soft', ink: 'text-info-ink', icon: Info },
  pass: { frame: 'border-pass-line bg-pass-soft', ink: 'text-pass-ink', icon: CircleCheck },
  warn: { frame: 'border-warn-line bg-warn-soft', ink: 'text-warn-ink', icon: TriangleAlert },
  fail: { frame: 'border-fail-line bg-fail-soft', ink: 'text-fail-ink', icon: CircleX },
  neutral: { frame: 'border-line-strong bg-sunken', ink: 'text-ink-muted', icon: Info },
} as const

/** A notice inside the page that stays. `fail` and `warn` are read out when they appear. */
export function Callout({
  tone = 'info',
  title,
  actions,
  className,
  children,
}: {
  tone?: keyof typeof styles
  title?: ReactNode
  actions?: ReactNode
  className?: string
  children?: ReactNode
}) {
  const { frame, ink, icon: Icon } = styles[tone]
  return (
    <div
      role={tone === 'fail' || tone === 'warn' ? 'alert' : undefined}
      className={cn('flex items-start gap-2.5 rounded-lg border px-3.5 py-3 text-sm', frame, className)}
    >
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4 shrink-0', ink)} />
      <div className="min-w-0 flex-1 text-ink wrap-anywhere">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={title ? 'text-ink-muted' : undefined}>{children}</div>}
        {actions && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}
