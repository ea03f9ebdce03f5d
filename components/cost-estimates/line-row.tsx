'use client'

import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, memo, type Ref } from 'react'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { formatMoney, minorUnits } from '@/lib/currencies'
import { tailOf } from './amounts'
import type { DraftLine } from './draft'
import { priceText } from './typed-numbers'

export type Column = 'description' | 'quantity' | 'unitPrice'
const LABELS = { description: 'Description', quantity: 'Quantity', unit: 'Unit', unitPrice: 'Unit price' } as const

/** What a row asks of its table; the same object for its whole life, so that a row is drawn anew only when it changed. */
export type RowActions = {
  change(row: number, more: Partial<DraftLine>): void
  remove(row: number): void
  move(from: number, to: number): void
  onKeyDown(event: KeyboardEvent, row: number, column: Column): void
  onPaste(event: ClipboardEvent, row: number): void
  drag(from: number | null): void
  dragOver(row: number): boolean
  drop(row: number): boolean
}

type Props = {
  line: DraftLine
  row: number
  isLast: boolean
  amount: string
  currency: string
  tableId: string
  errors: Readonly<Partial<Record<Column, string>>> | undefined
  /** Where a line that is being dragged stands to this one. */
  drag: 'source' | 'before' | 'after' | null
  act: RowActions
  ref: Ref<HTMLTableRowElement>
}

const cell =
  'w-full rounded-md border border-transparent bg-transparent px-2 py-1.5 text-sm text-ink hover:border-line-control focus-visible:border-focus focus-visible:bg-surface focus-visible:outline-2 focus-visible:outline-focus/40 aria-invalid:border-fail pointer-coarse:text-[1rem] @max-2xl:border-line-control'

/** One line that is being priced. */
export const LineRow = memo(function LineRow({
  line,
  row,
  isLast,
  amount,
  currency,
  tableId,
  errors,
  drag,
  act,
  ref,
}: Props) {
  const idOf = (column: Column | 'unit') => `${tableId}-${row}-${column}`
  const field = (column: Column) => ({
    id: idOf(column),
    'data-cell': `${row}:${column}`,
    'aria-invalid': errors?.[column] ? true : undefined,
    'aria-describedby': errors?.[column] ? `error-${row}-${column}` : undefined,
    value: line[column],
    onKeyDown: (event: KeyboardEvent) => act.onKeyDown(event, row, column),
    onPaste: (event: ClipboardEvent) => act.onPaste(event, row),
    onChange: (event: { target: { value: string } }) => act.change(row, { [column]: event.target.value }),
  })
  /** On narrow screens, where the table has no head, each field says what it is. */
  const label = (column: Column | 'unit') => (
    <label
      htmlFor={idOf(column)}
      className={cn(
        'hidden pb-0.5 text-xs text-ink-muted @max-2xl:block',
        (column === 'quantity' || column === 'unitPrice') && 'text-right',
      )}
    >
      {LABELS[column]}
    </label>
  )
  const problem = (column: Column) =>
    errors?.[column] && (
      <p id={`error-${row}-${column}`} className="px-2 pt-1 text-xs text-fail-ink">
        {errors[column]}
      </p>
    )
  return (
    <tr
      ref={ref}
      data-index={row}
      aria-rowindex={row + 2}
      onDragOver={(event) => {
        if (act.dragOver(row)) event.preventDefault()
      }}
      onDrop={(event) => {
        // Otherwise the text of the line would be dropped into the field below the pointer.
        if (act.drop(row)) event.preventDefault()
      }}
      className={cn(
        'align-top @max-2xl:grid @max-2xl:grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,1fr)] @max-2xl:gap-x-2 @max-2xl:gap-y-2 @max-2xl:p-3',
        drag === 'source' && 'opacity-40',
        drag === 'before' && 'shadow-[0_-2px_0_var(--accent)]',
        drag === 'after' && 'shadow-[0_2px_0_var(--accent)]',
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
            const dragImage = event.currentTarget.closest('tr')
            if (dragImage) event.dataTransfer.setDragImage(dragImage, 16, 16)
            act.drag(row)
          }}
          onDragEnd={() => act.drag(null)}
          className="flex h-8 cursor-grab items-center justify-center text-ink-subtle hover:text-ink"
        >
          <GripVertical aria-hidden="true" className="size-4" />
        </span>
      </td>
      <td className="py-1 @max-2xl:col-span-3 @max-2xl:py-0">
        {label('description')}
        <textarea
          {...field('description')}
          aria-label={`Description of line ${row + 1}`}
          rows={1}
          maxLength={2000}
          placeholder={row === 0 ? 'What is priced, such as “Banner set, 6 sizes”' : undefined}
          className={cn(cell, 'block field-sizing-content min-h-8 resize-none')}
        />
        {problem('description')}
      </td>
      <td className="py-1 @max-2xl:py-0">
        {label('quantity')}
        <input
          {...field('quantity')}
          aria-label={`Quantity of line ${row + 1}`}
          inputMode="decimal"
          autoComplete="off"
          className={cn(cell, 'text-right tabular-nums')}
        />
        {problem('quantity')}
      </td>
      <td className="py-1 @max-2xl:py-0">
        {label('unit')}
        <select
          id={idOf('unit')}
          aria-label={`Unit of line ${row + 1}`}
          value={line.unit}
          onChange={(event) => act.change(row, { unit: event.target.value as DraftLine['unit'] })}
          className={cn(cell, 'h-8')}
        >
          <option value="">–</option>
          <option value="file">per file</option>
          <option value="round">per round</option>
        </select>
      </td>
      <td className="py-1 @max-2xl:py-0">
        {label('unitPrice')}
        <input
          {...field('unitPrice')}
          onBlur={() => {
            const unitPrice = priceText(line.unitPrice, currency)
            if (unitPrice !== line.unitPrice) act.change(row, { unitPrice })
          }}
          aria-label={`Unit price of line ${row + 1}`}
          inputMode="decimal"
          autoComplete="off"
          placeholder={`0${tailOf(minorUnits(currency))}`}
          className={cn(cell, 'text-right tabular-nums placeholder:text-ink-subtle')}
        />
        {problem('unitPrice')}
      </td>
      <td className="px-2 py-2.5 text-right whitespace-nowrap tabular-nums @max-2xl:order-last @max-2xl:py-1.5 @max-2xl:font-medium">
        {formatMoney(amount, currency)}
      </td>
      <td className="py-2.5 text-center @max-2xl:py-1.5 @max-2xl:text-left">
        <label className="inline-flex min-h-6 min-w-6 items-center justify-center gap-1.5">
          <input
            type="checkbox"
            aria-label={`Line ${row + 1} is an option the client may leave out`}
            checked={line.isOption}
            onChange={(event) => act.change(row, { isOption: event.target.checked })}
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
              onClick={() => act.move(row, row - 1)}
            />
            <IconButton
              size="sm"
              label={`Move line ${row + 1} down`}
              icon={<ArrowDown />}
              disabled={isLast}
              onClick={() => act.move(row, row + 1)}
            />
          </span>
          <IconButton label={`Remove line ${row + 1}`} icon={<Trash2 />} onClick={() => act.remove(row)} />
        </span>
      </td>
    </tr>
  )
})
