import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { cn } from './cn'
import { NearLink } from './near-link'

interface Column<Row> {
  /** Stable name; for sortable columns the value that goes into `sort.href`. */
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  sortable?: boolean
  /** Numbers stand at the end so that their digits align. */
  align?: 'start' | 'end'
  /** A CSS width for the column, `8rem`; one column at least should have none. */
  width?: string
  /** Leaves the column out of a table that is hardly wider than one of cards; `true`: out of these, too. */
  wideOnly?: boolean | 'in tables'
}

/** The part of a long list that is on the page: the rows in sight. */
interface TablePart {
  /** How many rows the list has, and where the first of these stands, from 0. */
  count: number
  first: number
  /** Height of what is left out before and after, pixels. */
  before: number
  after: number
  body: Ref<HTMLTableSectionElement>
  /** Called with each row, which has its place as `data-index`. */
  measure: (row: HTMLTableRowElement | null) => void
}

type Direction = 'asc' | 'desc'
type Sort = { key: string; direction: Direction } & (
  | { href: (key: string, direction: Direction) => string }
  | { choose: (key: string, direction: Direction) => void }
)

export interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  caption: string
  /** The first column is the row's title: it carries the link, and heads the card on narrow screens. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowHref?: (row: Row) => string
  /** Menu or buttons at the end of each row. */
  rowActions?: (row: Row) => ReactNode
  /** `href`: the server sorts a page; `choose`: the list is asked for anew. */
  sort?: Sort
  /** Where `rows` are a part of a longer list. */
  part?: TablePart
  /** Stands in place of the table when there are no rows: an `EmptyState`. */
  empty: ReactNode
  /** Rows of half the height. */
  isCompact?: boolean
  className?: string
}

/*
 * Narrow containers show each row as a card. `display: block` would take the table's meaning from assistive technology
 * (WebKit and Chromium drop it), so the roles are written out: they say nothing new on wide screens.
 */

/** Other columns give way before the title is broken into single words. */
const TITLE = 'min-w-60 @max-2xl:min-w-0'
const WIDE_ONLY = '@max-[44rem]:hidden'
const WIDE_TABLES_ONLY = '@2xl:@max-[44rem]:hidden'

/** A list of alike things. No state and no effects: works in server components. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowHref,
  rowActions,
  sort,
  part,
  empty,
  isCompact = false,
  className,
}: DataTableProps<Row>) {
  if (rows.length === 0) return <>{empty}</>
  const [titleColumn, ...otherColumns] = columns
  if (!titleColumn) return null
  // The head stays in view under the top bar while the page scrolls.
  const headCell =
    'sticky top-(--topbar-height,0px) z-2 print:static h-8 border-b border-line bg-surface px-3 text-left text-xs font-medium whitespace-nowrap text-ink-subtle first:pl-4 last:pr-4'
  const cellBase = cn('list-cell', isCompact && 'py-0.5')

  return (
    <div
      className={cn('@container min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-xs', className)}
    >
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see the note above */}
      <table
        role="table"
        aria-rowcount={part && part.count + 1}
        className="w-full border-separate border-spacing-0 @max-2xl:block"
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="@max-2xl:sr-only">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                style={column.width ? { width: column.width } : undefined}
                aria-sort={
                  sort && column.sortable && sort.key === column.key
                    ? sort.direction === 'asc'
                      ? 'ascending'
                      : 'descending'
                    : undefined
                }
                className={cn(
                  headCell,
                  column === titleColumn && TITLE,
                  column.wideOnly && WIDE_ONLY,
                  column.align === 'end' && 'text-right',
                )}
              >
                {sort && column.sortable ? <SortLink column={column} sort={sort} /> : column.header}
              </th>
            ))}
            {rowActions && (
              <th role="columnheader" scope="col" className={cn(headCell, 'w-10')}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={part?.body} role="rowgroup" className="@max-2xl:block">
          {part && <Gap height={part.before} columns={columns.length} />}
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              ref={part?.measure}
              role="row"
              data-index={part && part.first + index}
              aria-rowindex={part && part.first + index + 2}
              className={cn('group/row list-row', rowHref && 'hover:bg-hover')}
            >
              <td
                role="cell"
                className={cn(cellBase, TITLE, 'font-medium text-ink @max-2xl:row-start-1 @max-2xl:block')}
              >
                {rowHref ? (
                  <NearLink href={rowHref(row)} className="list-link">
                    {titleColumn.cell(row)}
                  </NearLink>
                ) : (
                  titleColumn.cell(row)
                )}
              </td>
              {otherColumns.map((column) => (
                <td
                  key={column.key}
                  role="cell"
                  className={cn(
                    cellBase,
                    'text-ink-muted',
                    column.align === 'end' && '@2xl:text-right tabular-nums',
                    column.wideOnly === true ? WIDE_ONLY : 'list-value',
                    column.wideOnly === 'in tables' && WIDE_TABLES_ONLY,
                  )}
                >
                  <span aria-hidden="true" className="list-label">
                    {column.header}
                  </span>
                  <span className="list-content">{column.cell(row)}</span>
                </td>
              ))}
              {rowActions && (
                <td
                  role="cell"
                  className={cn(
                    cellBase,
                    'relative z-1 py-0! text-right whitespace-nowrap @max-2xl:col-start-2 @max-2xl:row-start-1 @max-2xl:-mr-2 @max-2xl:block',
                  )}
                >
                  {rowActions(row)}
                </td>
              )}
            </tr>
          ))}
          {part && <Gap height={part.after} columns={columns.length} />}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see the note above */}
    </div>
  )
}

/** The place of rows that are out of sight. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height < 1) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
    <tr aria-hidden="true" className="@max-2xl:block">
      <td colSpan={columns} className="p-0 @max-2xl:block" style={{ height }} />
    </tr>
  )
}

function SortLink<Row>({ column, sort }: { column: Column<Row>; sort: Sort }) {
  const isActive = sort.key === column.key
  const next = isActive && sort.direction === 'asc' ? 'desc' : 'asc'
  const Icon = !isActive ? ChevronsUpDown : sort.direction === 'asc' ? ArrowUp : ArrowDown
  const className = cn(
    '-mx-1 inline-flex h-6 items-center gap-1 rounded-sm px-1 hover:text-ink',
    isActive && 'text-ink',
  )
  const content = (
    <>
      {column.header}
      <Icon aria-hidden="true" className={cn('size-3', !isActive && 'opacity-60')} />
    </>
  )
  if ('choose' in sort) {
    return (
      <button type="button" className={className} onClick={() => sort.choose(column.key, next)}>
        {content}
      </button>
    )
  }
  return (
    <NearLink href={sort.href(column.key, next)} scroll={false} className={className}>
      {content}
    </NearLink>
  )
}
