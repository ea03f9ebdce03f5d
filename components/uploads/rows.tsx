import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { UploadItem } from '@/lib/client/uploader/upload-item'

/** From here on only the rows in sight are on the page. */
const VIRTUAL_FROM = 40

export type RowFocus = ReturnType<typeof useRowFocus>

/** A row that changes or goes hands the focus on: to itself, to its neighbour, or out of the list when it was the last. */
export function useRowFocus(items: readonly UploadItem[], onEmptied: (() => void) | undefined) {
  const wanted = useRef<string | null>(null)
  const region = useRef<HTMLDivElement>(null)
  const [, hold] = useState(0)
  // Rows are drawn again only when their file changes: what they hold on to must not grow old.
  const now = useRef({ items, onEmptied })
  now.current = { items, onEmptied }
  useEffect(() => {
    if (wanted.current === null) return
    const target = region.current?.querySelector<HTMLElement>(`[data-upload="${wanted.current}"] [data-row-action]`)
    if (!target) return
    wanted.current = null
    target.focus()
  })
  return {
    region,
    wanted,
    list: () => region.current?.focus(),
    /** Once the row is there. */
    row: (id: string) => {
      wanted.current = id
      hold((turn) => turn + 1)
    },
    /** Called before the row goes. */
    past: (id: string) => {
      const { items: list, onEmptied: leave } = now.current
      const at = list.findIndex((item) => item.id === id)
      const next = list[at + 1] ?? list[at - 1]
      if (next) {
        wanted.current = next.id
        hold((turn) => turn + 1)
      } else leave?.()
    },
  }
}

type RowsProps = {
  items: readonly UploadItem[]
  focus: RowFocus
  children: (item: UploadItem) => ReactNode
}

export function Rows(props: RowsProps) {
  if (props.items.length >= VIRTUAL_FROM) return <VirtualRows {...props} />
  return (
    <div ref={props.focus.region} tabIndex={-1} className="outline-none">
      <ul className="divide-y divide-line">
        {props.items.map((item) => (
          <li key={item.id} data-upload={item.id}>
            {props.children(item)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A thousand rows in a window of their own; those out of sight are not on the page. */
function VirtualRows({ items, focus, children }: RowsProps) {
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => focus.region.current,
    estimateSize: () => 61,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 4,
  })
  const wanted = focus.wanted.current
  useEffect(() => {
    const at = wanted === null ? -1 : items.findIndex(({ id }) => id === wanted)
    if (at >= 0) rows.scrollToIndex(at)
  }, [wanted, items, rows])
  return (
    <section
      ref={focus.region}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={`${items.length} files`}
      className="relative max-h-[min(70dvh,40rem)] overflow-y-auto overscroll-contain [overflow-anchor:none]"
    >
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          return (
            item && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                data-upload={item.id}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0 border-b border-line"
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(item)}
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}
