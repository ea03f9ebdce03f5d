import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

export type RankedBar = {
  key: string
  label: ReactNode
  /** Lengths of one line, in one unit over all lines. */
  parts: readonly { key: string; length: number; swatch: string; text: string }[]
}

/** Lines of bars, the text beside each: a list before it is an image. */
export function RankedBars({ bars }: { bars: readonly RankedBar[] }) {
  const longest = Math.max(...bars.flatMap(({ parts }) => parts.map(({ length }) => length)), Number.MIN_VALUE)
  return (
    <ul className="flex flex-col gap-3">
      {bars.map(({ key, label, parts }) => (
        <li key={key} className="flex flex-col gap-1 text-sm">
          <span className="min-w-0 wrap-anywhere">{label}</span>
          {parts.map((part) => (
            <span key={part.key} className="grid grid-cols-[minmax(0,1fr)_6.75rem] items-center gap-3">
              <span aria-hidden="true" className="h-2 rounded-full bg-active">
                <span
                  className={cn('block h-full rounded-full', part.length > 0 && 'min-w-1', part.swatch)}
                  style={{ width: `${(part.length / longest) * 100}%` }}
                />
              </span>
              <span className="text-right text-xs text-ink-muted tabular-nums">{part.text}</span>
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
