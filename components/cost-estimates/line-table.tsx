'use client'

import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { formatMoney } from '@/lib/client/format'
import { minorUnits } from '@/lib/currencies'
import { MAX_LINES } from '@/lib/domain/cost-estimates/schema'
import { type DraftLine, emptyLine, linesFrom, priceText } from './draft'
import { tailOf } from './figures'

type Column = 'description' | 'quantity' | 'unitPrice'
const LABELS = { description: 'Description', quantity: 'Quantity', unit: 'Unit', unitPrice: 'Unit price' } as const
type Props = {
  lines: DraftLine[]
  amounts: readonly string[]
  currency: string
  /** By row and column: why the value was refused. */
  errors: ReadonlyMap<string, string>
  /** What is wrong with the lines as a whole. */
  error?: string
  onChange: (lines: DraftLine[]) => void
}

const cell =
  'w-full rounded-md border border-transparent bg-transparent px-2 py-1.5 text-sm text-ink hover:border-line-control focus-visible:border-focus focus-visible:bg-surface focus-visible:outline-2 focus-visible:outline-focus/40 aria-invalid:border-fail pointer-coarse:text-[1rem] @max-2xl:border-line-control'

/**
 * Line items, made for the keyboard: Enter goes on to the next line and adds one after the last, the arrows move between
 * lines, Alt with an arrow moves the line itself, and rows pasted from a spreadsheet become lines.
 */
export function LineTable({ lines, amounts, currency, errors, error, onChange }: Props) {
  const table = useId()
  const body = useRef<HTMLTableSectionElement>(null)
  const [dragged, setDragged] = useState<{ from: number; to: number } | null>(null)

  const focus = (row: number, column: Column) =>
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus({ preventScroll: false }),
    )
  const change = (row: number, more: Partial<DraftLine>) =>
    onChange(lines.map((line, index) => (index === row ? { ...line, ...more } : line)))
  const add = (after: number) => {
    if (lines.length >= MAX_LINES) return announce(`An estimate holds ${MAX_LINES} lines.`)
    onChange([...lines.slice(0, after + 1), emptyLine(), ...lines.slice(after + 1)])
    focus(after + 1, 'description')
  }
  const remove = (row: number) => {
    onChange(lines.length === 1 ? [emptyLine()] : lines.filter((_, index) => index !== row))
    focus(Math.min(row, lines.length - 2), 'description')
    announce(`Line ${row + 1} removed`)
  }
  const move = (from: number, to: number, column: Column = 'description') => {
    const line = lines[from]
    if (!line || to < 0 || to >= lines.length) return
    const others = lines.filter((_, index) => index !== from)
    onChange([...others.slice(0, to), line, ...others.slice(to)])
    focus(to, column)
    announce(`Moved to line ${to + 1} of ${lines.length}`)
  }

  function onKeyDown(event: KeyboardEvent, row: number, column: Column) {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step !== 0 && event.altKey) {
      event.preventDefault()
      move(row, row + step, column)
    } else if (step !== 0 && isAtEdge(event, step)) {
      if (row + step < 0 || row + step >= lines.length) return
      event.preventDefault()
      focus(row + step, column)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      if (row === lines.length - 1) add(row)
      else focus(row + 1, column)
    }
  }

  function onPaste(event: ClipboardEvent, row: number) {
    const text = event.clipboardData.getData('text/plain')
    if (!text.includes('\t')) return
    event.preventDefault()
    const pasted = linesFrom(text).slice(0, MAX_LINES - lines.length + 1)
    const here = lines[row]
    const isEmpty = here && here.description === '' && here.unitPrice === ''
    onChange([...lines.slice(0, isEmpty ? row : row + 1), ...pasted, ...lines.slice(row + 1)])
    announce(`${pasted.length} lines pasted`)
    focus(row + pasted.length - (isEmpty ? 1 : 0), 'description')
  }

  const field = (row: number, column: Column) => {
    const error = errors.get(`${row}:${column}`)
    return {
      id: idOf(row, column),
      'data-cell': `${row}:${column}`,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': error ? `error-${row}-${column}` : undefined,
      value: lines[row]?.[column] ?? '',
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, row, column),
      onPaste: (event: ClipboardEvent) => onPaste(event, row),
      onChange: (event: { target: { value: string } }) => change(row, { [column]: event.target.value }),
    }
  }

  const idOf = (row: number, column: Column | 'unit') => `${table}-${row}-${column}`
  /** On narrow screens, where the table has no head, each field says what it is. */
  const label = (row: number, column: Column | 'unit') => (
    <label
      htmlFor={idOf(row, column)}
      className={cn(
        'hidden pb-0.5 text-xs text-ink-muted @max-2xl:block',
        (column === 'quantity' || column === 'unitPrice') && 'text-right',
      )}
    >
      {LABELS[column]}
    </label>
  )

  return (
    <div className="@container rounded-xl border border-line bg-surface shadow-xs">
      <table className="w-full text-sm">
        <caption className="sr-only">
          Line items. Enter adds a line, Alt with the arrow keys moves one, rows from a spreadsheet can be pasted.
        </caption>
        <thead className="border-b border-line text-xs text-ink-subtle @max-2xl:sr-only">
          <tr>
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
        <tbody ref={body} className="divide-y divide-line">
          {lines.map((line, row) => (
            <tr
              key={line.key}
              onDragOver={(event) => {
                if (!dragged) return
                event.preventDefault()
                if (dragged.to !== row) setDragged({ ...dragged, to: row })
              }}
              onDrop={(event) => {
                if (!dragged) return
                // Otherwise the text of the line would be dropped into the field below the pointer.
                event.preventDefault()
                if (dragged.from !== row) move(dragged.from, row)
              }}
              className={cn(
                'align-top @max-2xl:grid @max-2xl:grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,1fr)] @max-2xl:gap-x-2 @max-2xl:gap-y-2 @max-2xl:p-3',
                dragged?.from === row && 'opacity-40',
                dragged?.to === row && dragged.from > row && 'shadow-[0_-2px_0_var(--accent)]',
                dragged?.to === row && dragged.from < row && 'shadow-[0_2px_0_var(--accent)]',
              )}
            >
              <td className="py-1 pl-1 @max-2xl:hidden">
                {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys do the same, Alt with an arrow */}
                <span
                  draggable
                  title="Drag to another place, or press Alt with an arrow key"
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move'
                    event.dataTransfer.setData('text/plain', line.description)
                    const picture = event.currentTarget.closest('tr')
                    if (picture) event.dataTransfer.setDragImage(picture, 16, 16)
                    setDragged({ from: row, to: row })
                  }}
                  onDragEnd={() => setDragged(null)}
                  className="flex h-8 cursor-grab items-center justify-center text-ink-subtle hover:text-ink"
                >
                  <GripVertical aria-hidden="true" className="size-4" />
                </span>
              </td>
              <td className="py-1 @max-2xl:col-span-3 @max-2xl:py-0">
                {label(row, 'description')}
                <textarea
                  {...field(row, 'description')}
                  aria-label={`Description of line ${row + 1}`}
                  rows={1}
                  maxLength={2000}
                  placeholder={row === 0 ? 'What is priced, such as “Banner set, 6 sizes”' : undefined}
                  className={cn(cell, 'block field-sizing-content min-h-8 resize-none')}
                />
                <Problem row={row} column="description" errors={errors} />
              </td>
              <td className="py-1 @max-2xl:py-0">
                {label(row, 'quantity')}
                <input
                  {...field(row, 'quantity')}
                  aria-label={`Quantity of line ${row + 1}`}
                  inputMode="decimal"
                  autoComplete="off"
                  className={cn(cell, 'text-right tabular-nums')}
                />
                <Problem row={row} column="quantity" errors={errors} />
              </td>
              <td className="py-1 @max-2xl:py-0">
                {label(row, 'unit')}
                <select
                  id={idOf(row, 'unit')}
                  aria-label={`Unit of line ${row + 1}`}
                  value={line.unit}
                  onChange={(event) => change(row, { unit: event.target.value as DraftLine['unit'] })}
                  className={cn(cell, 'h-8')}
                >
                  <option value="">–</option>
                  <option value="file">per file</option>
                  <option value="round">per round</option>
                </select>
              </td>
              <td className="py-1 @max-2xl:py-0">
                {label(row, 'unitPrice')}
                <input
                  {...field(row, 'unitPrice')}
                  onBlur={() => {
                    const unitPrice = priceText(line.unitPrice, currency)
                    if (unitPrice !== line.unitPrice) change(row, { unitPrice })
                  }}
                  aria-label={`Unit price of line ${row + 1}`}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder={`0${tailOf(minorUnits(currency))}`}
                  className={cn(cell, 'text-right tabular-nums placeholder:text-ink-subtle')}
                />
                <Problem row={row} column="unitPrice" errors={errors} />
              </td>
              <td className="px-2 py-2.5 text-right whitespace-nowrap tabular-nums @max-2xl:order-last @max-2xl:py-1.5 @max-2xl:font-medium">
                {formatMoney(amounts[row] ?? '0', currency)}
              </td>
              <td className="py-2.5 text-center @max-2xl:py-1.5 @max-2xl:text-left">
                <label className="inline-flex min-h-6 min-w-6 items-center justify-center gap-1.5">
                  <input
                    type="checkbox"
                    aria-label={`Line ${row + 1} is an option the client may leave out`}
                    checked={line.isOption}
                    onChange={(event) => change(row, { isOption: event.target.checked })}
                    className="size-4 accent-accent"
                  />
                  <span className="text-xs text-ink-muted @2xl:hidden">Option</span>
                </label>
              </td>
              <td className="py-1 pr-1 @max-2xl:justify-self-center @max-2xl:py-0">
                <span className="flex items-center">
                  <span className="flex @2xl:hidden">
                    <IconButton
                      size="sm"
                      label={`Move line ${row + 1} up`}
                      icon={<ArrowUp />}
                      disabled={row === 0}
                      onClick={() => move(row, row - 1)}
                    />
                    <IconButton
                      size="sm"
                      label={`Move line ${row + 1} down`}
                      icon={<ArrowDown />}
                      disabled={row === lines.length - 1}
                      onClick={() => move(row, row + 1)}
                    />
                  </span>
                  <IconButton label={`Remove line ${row + 1}`} icon={<Trash2 />} onClick={() => remove(row)} />
                </span>
              </td>
            </tr>
          ))}
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
}

function Problem({ row, column, errors }: { row: number; column: Column; errors: ReadonlyMap<string, string> }) {
  const error = errors.get(`${row}:${column}`)
  if (!error) return null
  return (
    <p id={`error-${row}-${column}`} className="px-2 pt-1 text-xs text-fail-ink">
      {error}
    </p>
  )
}

/** In text of several lines the arrows first move within it. */
function isAtEdge(event: KeyboardEvent, step: number): boolean {
  const target = event.target
  if (!(target instanceof HTMLTextAreaElement)) return true
  const { selectionStart, selectionEnd, value } = target
  if (selectionStart !== selectionEnd) return false
  return step < 0 ? !value.slice(0, selectionStart).includes('\n') : !value.slice(selectionEnd).includes('\n')
}
