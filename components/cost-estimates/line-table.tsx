'use client'

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { Plus } from 'lucide-react'
import {
  type ClipboardEvent,
  Fragment,
  type KeyboardEvent,
  memo,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { announce } from '@/components/ui/announcer'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/lib/client/format'
import { MAX_LINES } from '@/lib/domain/cost-estimates/schema'
import { type DraftLine, emptyLine } from './draft'
import { type Column, LineRow, type RowActions } from './line-row'
import { linesFrom } from './pasted-rows'

export type LineTableHandle = { focus(row: number, column: Column): void }
export type LineErrors = ReadonlyMap<number, Readonly<Partial<Record<Column, string>>>>

type Props = {
  lines: DraftLine[]
  amounts: readonly string[]
  currency: string
  /** By row: why its values were refused. */
  errors: LineErrors
  /** What is wrong with the lines as a whole. */
  error?: string
  update: (change: (lines: DraftLine[]) => DraftLine[]) => void
  ref?: Ref<LineTableHandle>
}

/** How high a row is until it was measured: in a table, and as a card on narrow screens. */
const ROW_HEIGHT = 41
const CARD_HEIGHT = 186
const NARROW = 672
const COLUMNS = 8

/**
 * Line items, made for the keyboard: Enter goes on to the next line and adds one after the last, the arrows move between
 * lines, Alt with an arrow moves the line itself, and rows pasted from a spreadsheet become lines. Only the rows in sight
 * are in the document, the one with the focus, and the one that is being dragged.
 */
export const LineTable = memo(function LineTable({ lines, amounts, currency, errors, error, update, ref }: Props) {
  const tableId = useId()
  const body = useRef<HTMLTableSectionElement>(null)
  const [dragged, setDragged] = useState<{ from: number; to: number } | null>(null)
  const [active, setActive] = useState(0)
  const [, setTurn] = useState(0)
  const { margin, isNarrow } = usePlace(body)
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: lines.length,
    estimateSize: () => (isNarrow ? CARD_HEIGHT : ROW_HEIGHT),
    getItemKey: (row) => lines[row]?.key ?? row,
    overscan: 12,
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

  // The row may only come into the document with what was just changed: it gets the focus once it is there.
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    const found = wanted.current && body.current?.querySelector<HTMLElement>(`[data-cell="${wanted.current}"]`)
    if (!found) return
    wanted.current = null
    found.focus()
  })

  const latest = useRef({ lines, dragged })
  latest.current = { lines, dragged }
  const [{ act, focus, add }] = useState(() => {
    const focus = (row: number, column: Column) => {
      wanted.current = `${row}:${column}`
      setActive(row)
      // Another render also where the row is the one that had the focus.
      setTurn((turn) => turn + 1)
    }
    const add = (after: number) => {
      if (latest.current.lines.length >= MAX_LINES) return announce(`An estimate holds ${MAX_LINES} lines.`)
      update((lines) => [...lines.slice(0, after + 1), emptyLine(), ...lines.slice(after + 1)])
      focus(after + 1, 'description')
    }
    const move = (from: number, to: number, column: Column = 'description') => {
      const count = latest.current.lines.length
      if (to < 0 || to >= count) return
      update((lines) => {
        const others = lines.filter((_, index) => index !== from)
        return [...others.slice(0, to), ...lines.slice(from, from + 1), ...others.slice(to)]
      })
      focus(to, column)
      announce(`Moved to line ${to + 1} of ${count}`)
    }
    const act: RowActions = {
      change: (row, more) =>
        update((lines) => lines.map((line, index) => (index === row ? { ...line, ...more } : line))),
      remove(row) {
        const count = latest.current.lines.length
        update((lines) => (lines.length === 1 ? [emptyLine()] : lines.filter((_, index) => index !== row)))
        focus(Math.max(0, Math.min(row, count - 2)), 'description')
        announce(`Line ${row + 1} removed`)
      },
      move,
      onKeyDown(event: KeyboardEvent, row, column) {
        if (event.nativeEvent.isComposing) return
        const count = latest.current.lines.length
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        if (step !== 0 && event.altKey) {
          event.preventDefault()
          move(row, row + step, column)
        } else if (step !== 0 && isAtEdge(event, step)) {
          if (row + step < 0 || row + step >= count) return
          event.preventDefault()
          focus(row + step, column)
        } else if (event.key === 'Enter' && !event.shiftKey) {
          event.preventDefault()
          if (row === count - 1) add(row)
          else focus(row + 1, column)
        }
      },
      onPaste(event: ClipboardEvent, row) {
        const text = event.clipboardData.getData('text/plain')
        if (!text.includes('\t')) return
        event.preventDefault()
        const { lines } = latest.current
        const pasted = linesFrom(text).slice(0, MAX_LINES - lines.length + 1)
        const here = lines[row]
        const isEmpty = here && here.description === '' && here.unitPrice === ''
        update((lines) => [...lines.slice(0, isEmpty ? row : row + 1), ...pasted, ...lines.slice(row + 1)])
        announce(`${formatCount(pasted.length, 'line')} pasted`)
        focus(row + pasted.length - (isEmpty ? 1 : 0), 'description')
      },
      drag: (from) => setDragged(from === null ? null : { from, to: from }),
      dragOver(to) {
        const { dragged } = latest.current
        if (dragged && dragged.to !== to) setDragged({ ...dragged, to })
        return dragged !== null
      },
      drop(row) {
        const { dragged } = latest.current
        if (dragged && dragged.from !== row) move(dragged.from, row)
        return dragged !== null
      },
    }
    return { act, focus, add }
  })
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

/** Where the rows begin in the document, and whether they are cards. */
function usePlace(body: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ margin: 0, isNarrow: false })
  useLayoutEffect(() => {
    const look = () => {
      const box = body.current?.getBoundingClientRect()
      if (!box) return
      const next = { margin: Math.round(box.top + window.scrollY), isNarrow: box.width < NARROW }
      setPlace((last) => (last.margin === next.margin && last.isNarrow === next.isNarrow ? last : next))
    }
    look()
    // What stands above may grow or go: a notice, a head that wraps.
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])
  return place
}

/** In text of several lines the arrows first move within it. */
function isAtEdge(event: KeyboardEvent, step: number): boolean {
  const target = event.target
  if (!(target instanceof HTMLTextAreaElement)) return true
  const { selectionStart, selectionEnd, value } = target
  if (selectionStart !== selectionEnd) return false
  return step < 0 ? !value.slice(0, selectionStart).includes('\n') : !value.slice(selectionEnd).includes('\n')
}
