'use client'

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { Plus } from 'lucide-react'
import {
  Fragment,
  memo,
  type Ref,
  useCallback,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '@/components/ui/button'
import { usePlace } from '@/components/ui/use-place'
import type { DraftLine } from './draft'
import type { LineErrors } from './editor-state'
import { type Column, LineRow } from './line-row'
import type { LinesAction } from './lines'
import { useLineKeys } from './use-line-keys'

export type LineTableHandle = { focus(row: number, column: Column): void }

type Props = {
  lines: DraftLine[]
  amounts: readonly string[]
  currency: string
  /** By row: why its values were refused. */
  errors: LineErrors
  /** What is wrong with the lines as a whole. */
  error?: string
  /** Stays the same for the table's whole life. */
  dispatch: (action: LinesAction) => void
  ref?: Ref<LineTableHandle>
}

/** How high a row is until it was measured: in a table, and as a card on narrow screens. */
const ROW_HEIGHT = 41
const CARD_HEIGHT = 186
const COLUMNS = 8

/**
 * Line items, made for the keyboard: Enter goes on to the next line and adds one after the last, the arrows move between
 * lines, Alt with an arrow moves the line itself, and rows pasted from a spreadsheet become lines. Only the rows in sight
 * are in the document, the one with the focus, and the one that is being dragged.
 */
export const LineTable = memo(function LineTable({ lines, amounts, currency, errors, error, dispatch, ref }: Props) {
  const tableId = useId()
  const body = useRef<HTMLTableSectionElement>(null)
  const { act, focus, add, active, setActive, dragged } = useLineKeys(body, lines, dispatch)
  const { margin, isNarrow } = usePlace(body)
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: lines.length,
    estimateSize: () => (isNarrow ? CARD_HEIGHT : ROW_HEIGHT),
    getItemKey: useKeyOfRow(lines),
    overscan: 3,
    scrollMargin: margin,
    // The same on the server and at first in the browser.
    initialRect: { width: 0, height: 900 },
    initialOffset: 0,
    useFlushSync: false,
    rangeExtractor: (range: Range) => {
      const pinned = [active, dragged?.from ?? active].filter((row) => row < lines.length)
      return [...new Set([...pinned, ...defaultRangeExtractor(range)])].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the estimate depends on it
  useLayoutEffect(() => rows.measure(), [isNarrow])

  useImperativeHandle(ref, () => ({ focus }), [focus])

  const dragOf = (row: number) => {
    if (!dragged) return null
    if (dragged.from === row) return 'source'
    if (dragged.to !== row) return null
    return dragged.from > row ? 'before' : 'after'
  }
  let end = margin
  return (
    <div className="@container rounded-xl border border-line bg-surface shadow-xs">
      <table className="w-full text-sm" aria-rowcount={lines.length + 1}>
        <caption className="sr-only">
          Line items. Enter adds a line, Alt with the arrow keys moves one, rows from a spreadsheet can be pasted.
        </caption>
        <thead className="border-b border-line text-xs text-ink-subtle @max-2xl:sr-only">
          <tr aria-rowindex={1}>
            <th scope="col" className="w-8" aria-label="Order" />
            <th scope="col" className="px-2 py-2 text-left font-medium">
              Description
            </th>
            <th scope="col" className="w-24 px-2 py-2 text-right font-medium">
              Quantity
            </th>
            <th scope="col" className="w-28 px-2 py-2 text-left font-medium">
              Unit
            </th>
            <th scope="col" className="w-28 px-2 py-2 text-right font-medium">
              Unit price
            </th>
            <th scope="col" className="w-32 px-2 py-2 text-right font-medium">
              Amount
            </th>
            <th scope="col" className="w-16 px-1 py-2 text-center font-medium">
              Option
            </th>
            <th scope="col" className="w-9" aria-label="Remove" />
          </tr>
        </thead>
        <tbody
          ref={body}
          className="divide-y divide-line"
          onFocus={(event) => {
            const row = Number(event.target.closest('tr')?.dataset.index)
            if (Number.isInteger(row)) setActive(row)
          }}
        >
          {rows.getVirtualItems().map(({ index: row, key, start, end: own }) => {
            const line = lines[row]
            if (!line) return null
            const gap = start - end
            end = own
            return (
              <Fragment key={key}>
                {gap >= 1 && <Gap height={gap} />}
                <LineRow
                  ref={rows.measureElement}
                  line={line}
                  row={row}
                  isLast={row === lines.length - 1}
                  amount={amounts[row] ?? '0'}
                  currency={currency}
                  tableId={tableId}
                  errors={errors.get(row)}
                  drag={dragOf(row)}
                  act={act}
                />
              </Fragment>
            )
          })}
          <Gap height={rows.getTotalSize() + margin - end} />
        </tbody>
      </table>
      {error && <p className="border-t border-line px-4 py-2 text-xs text-fail-ink">{error}</p>}
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-2 py-2">
        <Button size="sm" variant="ghost" onClick={() => add(lines.length - 1)}>
          <Plus />
          Add line
        </Button>
        <span className="px-2 text-xs text-ink-subtle">Rows copied from a spreadsheet can be pasted.</span>
      </div>
    </div>
  )
})

/** The key of a row; the same function until rows come, go or move, as the virtualizer measures all rows again for another. */
function useKeyOfRow(lines: readonly DraftLine[]) {
  const [known, setKnown] = useState(lines)
  const isSameOrder = known.length === lines.length && known.every((line, row) => line.key === lines[row]?.key)
  if (!isSameOrder) setKnown(lines)
  const ordered = isSameOrder ? known : lines
  return useCallback((row: number) => ordered[row]?.key ?? row, [ordered])
}

/** The place of rows that are out of sight. */
function Gap({ height }: { height: number }) {
  if (height < 1) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
    <tr aria-hidden="true">
      <td colSpan={COLUMNS} className="p-0" style={{ height }} />
    </tr>
  )
}
