import { cn } from './cn'

/** Keys of a shortcut, written with spaces between them: `g p`, `Ctrl K`. */
export function Kbd({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-0.5', className)}>
      {keys.split(' ').map((key, index) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: a shortcut may hold the same key twice, and never changes
          key={index}
          className="inline-grid h-4.5 min-w-4.5 place-items-center rounded-sm border border-line-strong bg-sunken px-1 font-sans text-2xs leading-none font-medium text-ink-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
