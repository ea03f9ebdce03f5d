import { initials } from '@/lib/format'
import { cn } from './cn'

const sizes = { sm: 'size-5 text-[0.5625rem]', md: 'size-6 text-2xs', lg: 'size-8 text-xs' } as const

/** A person as initials on a quiet tint that stays theirs. Beside the written name it is decoration (`labelled={false}`). */
export function Avatar({
  name,
  size = 'md',
  labelled = false,
  className,
}: {
  name: string
  size?: keyof typeof sizes
  /** True where the name is not written beside it. */
  labelled?: boolean
  className?: string
}) {
  const hue = hueOf(name)
  return (
    <span
      {...(labelled ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
      style={{
        background: `light-dark(oklch(0.925 0.028 ${hue}), oklch(0.335 0.035 ${hue}))`,
        color: `light-dark(oklch(0.385 0.06 ${hue}), oklch(0.9 0.035 ${hue}))`,
      }}
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-full leading-none font-semibold select-none',
        sizes[size],
        className,
      )}
    >
      {initials(name)}
    </span>
  )
}

/** An avatar with the name beside it. */
export function Person({
  name,
  size = 'md',
  className,
}: {
  name: string
  size?: keyof typeof sizes
  className?: string
}) {
  return (
    <span className={cn('inline-flex min-w-0 items-center gap-2', className)}>
      <Avatar name={name} size={size} />
      <span className="truncate">{name}</span>
    </span>
  )
}

function hueOf(name: string): number {
  let hash = 7
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 997
  return (hash % 12) * 30
}
