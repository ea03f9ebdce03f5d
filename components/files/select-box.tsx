'use client'

import { CheckboxBox } from '@/components/ui/checkbox'
import type { FileSummary } from '@/lib/domain/files/schema'
import type { Selection } from './use-selection'

/** The box that selects a file; with Shift all from the last one on. Stands above what opens the file. */
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
    <CheckboxBox
      aria-label={`Select ${file.name}`}
      className={className}
      checked={selection.has(file.id)}
      onCheckedChange={(_, { event }) => selection.toggle(index, file, 'shiftKey' in event && event.shiftKey === true)}
    />
  )
}
