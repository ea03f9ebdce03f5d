'use client'

import { Check } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import type { FileSummary } from '@/lib/domain/files/schema'
import type { Selection } from './use-selection'

/**
 * The box that selects a file; with Shift all from the last one on. Stands above what opens the file. Looks like
 * `CheckboxBox`, and is the browser's own: there are many, and they belong to no form.
 */
export function SelectBox({
  file,
  index,
  selection,
  className,
}: {
  file: FileSummary
  index: number
  selection: Selection
  className?: string
}) {
  return (
    <span className={cn('relative -m-1 grid size-6 shrink-0 place-items-center print:hidden', className)}>
      <input
        type="checkbox"
        aria-label={`Select ${file.name}`}
        className="peer absolute inset-0 m-0 size-full appearance-none rounded-md focus-visible:-outline-offset-1"
        checked={selection.has(file.id)}
        onChange={({ nativeEvent }) =>
          selection.toggle(index, file, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
      <span
        aria-hidden="true"
        className="pointer-events-none relative grid size-4 place-items-center rounded-sm border border-line-control bg-surface text-on-accent shadow-xs *:invisible peer-checked:border-accent peer-checked:bg-accent peer-checked:*:visible peer-hover:border-ink-subtle peer-checked:peer-hover:border-accent"
      >
        <Check className="size-3" strokeWidth={3} />
      </span>
    </span>
  )
}
