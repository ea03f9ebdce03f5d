import { cn } from './cn'
import { CopyButton } from './copy-button'

/** Commands or data to copy. Scrolls sideways, and with the keyboard. */
export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <div className={cn('relative min-w-0 rounded-lg border border-line bg-sunken', className)}>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto rounded-lg py-3 pr-12 pl-4 text-xs leading-5"
      >
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      {/* Opaque, because long lines run beneath it. */}
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={code} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  )
}

/** A short value to copy: a link, a token, an id. */
export function CopyField({ value, label, className }: { value: string; label: string; className?: string }) {
  return (
    <div
      className={cn(
        'flex h-9 min-w-0 items-center gap-1 rounded-md border border-line-strong bg-sunken pr-1 pl-3',
        className,
      )}
    >
      <code className="min-w-0 flex-1 truncate text-xs text-ink select-all">{value}</code>
      <CopyButton text={value} label={`Copy ${label}`} />
    </div>
  )
}
