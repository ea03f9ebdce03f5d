import { cn } from './cn'

/** The mark alone: a G with an opening at its right. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('size-6', className)}>
      <rect width="32" height="32" rx="8" fill="#114a34" />
      <path
        d="M22.6 12.1A7.7 7.7 0 1 0 23.7 17H16.6"
        fill="none"
        stroke="#eafaf2"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="24.2" cy="8.2" r="2.6" fill="#6fe0ab" />
    </svg>
  )
}

/** Mark and name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2', className)}>
      <LogoMark />
      <span className="text-[0.9375rem] font-semibold tracking-[-0.015em] text-ink">Greenroom</span>
    </span>
  )
}
