import { cn } from '@/components/ui/cn'
import type { NameValidation } from '@/lib/domain/naming/validate-name'

/**
 * A file name as the rule reads it, part by part: what is right is quiet, what is wrong is marked and what is missing
 * has its place. Colour never says it alone: wrong parts are underlined, missing ones are named in brackets.
 */
export function NameParts({ verdict, className }: { verdict: Pick<NameValidation, 'parts'>; className?: string }) {
  return (
    <code className={cn('font-mono text-sm leading-6 wrap-anywhere', className)}>
      {verdict.parts.map((part, index) => {
        const key = index
        if (part.ok) {
          return (
            <span key={key} className={part.kind === 'literal' ? 'text-ink-subtle' : 'text-ink'}>
              {part.text}
            </span>
          )
        }
        if (part.text === '') {
          return (
            <span
              key={key}
              title={part.message ?? undefined}
              className="mx-px rounded-sm border border-dashed border-fail-line bg-fail-soft px-1 text-xs text-fail-ink"
            >
              <span className="sr-only">missing: </span>
              {part.token ?? part.expected ?? 'missing'}
            </span>
          )
        }
        return (
          <span
            key={key}
            title={part.message ?? undefined}
            className="rounded-sm bg-fail-soft px-px text-fail-ink underline decoration-wavy decoration-from-font underline-offset-4"
          >
            <span className="sr-only">wrong: </span>
            {part.text}
          </span>
        )
      })}
    </code>
  )
}
