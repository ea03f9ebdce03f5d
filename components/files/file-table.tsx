'use client'

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { FindingWords, ResultBadge } from '@/components/pre-qc/result-badge'
import { cn } from '@/components/ui/cn'
import { DataTable } from '@/components/ui/data-table'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { usePlace } from '@/components/ui/use-place'
import type { FileSummary } from '@/lib/domain/files/schema'
import { directionOf } from '@/lib/domain/files/states'
import { formatBytes, formatDuration } from '@/lib/format'
import { type FileOrder, LABELS } from '@/lib/vocabulary'
import { Decision } from './decision'
import { factsOf } from './facts'
import { FileName } from './file-name'
import { COLUMN_LABELS, FILE_COLUMNS, type FileColumn, type ListState } from './list-state'
import { SelectBox } from './select-box'
import { Thumbnail } from './thumbnail'
import { type FileSummaries, PART_FROM } from './use-file-summaries'
import type { Selection } from './use-selection'

/** How high a row is until it was measured, pixels: in a table, and as a card on narrow screens. */
const ROW_HEIGHT = { comfortable: 57, compact: 33 }
const CARD_HEIGHT = 120

/** What the list goes by when the head of a column is pressed. */
const ORDER_OF: Partial<Record<string, FileOrder>> = {
  name: 'name',
  verdict: 'verdict',
  decision: 'decision',
  version: 'version',
  duration: 'duration',
  size: 'size',
  received: 'newest',
}

type Row = { index: number; file: FileSummary | null }

/** The files of a batch as a table; of a long list only the rows in sight are on the page. */
export function FileTable({
  files,
  open,
  selection,
  list: { state, set },
}: {
  files: FileSummaries
  open: (id: string) => void
  selection: Selection
  list: ListState
}) {
  const isCompact = state.density === 'compact'
  const body = useRef<HTMLTableSectionElement>(null)
  const { margin, isNarrow } = usePlace(body)
  const isPart = files.total > PART_FROM
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: files.total,
    enabled: isPart,
    estimateSize: () => (isNarrow ? CARD_HEIGHT : ROW_HEIGHT[state.density]),
    overscan: 6,
    scrollMargin: margin,
    // The same on the server and at first in the browser.
    initialRect: { width: 0, height: 400 },
    initialOffset: 0,
  })
  const items = rows.getVirtualItems()
  const [first, last] = isPart ? [items[0], items.at(-1)] : [undefined, undefined]
  const [from, to] = isPart ? [first?.index ?? 0, last?.index ?? 0] : [0, files.total - 1]
  useEffect(() => files.show(from, to), [files.show, from, to])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows have another height
  useLayoutEffect(() => rows.measure(), [state.density])
  const shown = Array.from({ length: to - from + 1 }, (_, at): Row => ({ index: from + at, file: files.at(from + at) }))
  return (
    <DataTable
      caption="Files of this batch"
      className={files.isOld ? 'opacity-60' : undefined}
      rows={shown}
      isCompact={isCompact}
      sort={{
        key: Object.keys(ORDER_OF).find((key) => ORDER_OF[key] === state.order) ?? '',
        direction: state.direction ?? directionOf(state.order),
        choose: (key, direction) => {
          const order = ORDER_OF[key] ?? 'newest'
          // The first press gives the order its own direction, each next one turns it.
          const isOwn = order !== state.order || direction === directionOf(order)
          set({ order, direction: isOwn ? null : direction })
        },
      }}
      rowKey={({ index }) => String(index)}
      part={
        isPart
          ? {
              count: files.total,
              first: from,
              before: (first?.start ?? margin) - margin,
              after: rows.getTotalSize() + margin - (last?.end ?? margin),
              body,
              measure: rows.measureElement,
            }
          : undefined
      }
      columns={[
        {
          key: 'name',
          header: 'File',
          sortable: true,
          cell: ({ file, index }) =>
            file ? (
              <span className="flex min-w-0 items-center gap-3">
                <SelectBox file={file} index={index} selection={selection} className="z-1" />
                <button
                  type="button"
                  onClick={() => open(file.id)}
                  className="flex min-w-0 items-center gap-3 text-left after:absolute after:inset-0"
                >
                  <Thumbnail file={file} className={isCompact ? 'h-6 w-9 [&_svg]:size-3.5' : 'h-10 w-14'} />
                  <span className="min-w-0">
                    <span className={cn('block font-medium', isCompact ? 'line-clamp-1 break-all' : 'wrap-anywhere')}>
                      <FileName name={file.name} />
                    </span>
                    {!isCompact && (
                      <span className="block text-xs text-ink-subtle">{aboutOf(file, state.columns)}</span>
                    )}
                  </span>
                </button>
              </span>
            ) : (
              <span className="flex items-center gap-3">
                <Skeleton className="h-10 w-14" />
                <Skeleton className="w-48 max-w-1/2" />
              </span>
            ),
        },
        ...FILE_COLUMNS.filter((column) => state.columns.includes(column)).map((column) => ({
          key: column,
          header: COLUMN_LABELS[column],
          sortable: ORDER_OF[column] !== undefined,
          wideOnly: column !== 'verdict' && column !== 'decision',
          ...COLUMNS[column],
          cell: ({ file }: Row) => file && COLUMNS[column].cell(file, isCompact),
        })),
      ]}
      empty={null}
    />
  )
}

const COLUMNS: Record<
  FileColumn,
  { width: string; align?: 'end'; cell: (file: FileSummary, isCompact: boolean) => ReactNode }
> = {
  verdict: {
    width: 'clamp(11rem, 24cqw, 16rem)',
    cell: (file, isCompact) => (
      // A width of its own, or a long sentence takes that of the names.
      <span className="flex max-w-64 flex-col items-start gap-0.5 @max-2xl:items-end">
        <ResultBadge result={file.pre_qc} quiet={isCompact} />
        {!isCompact && <FindingWords result={file.pre_qc} lines={2} />}
      </span>
    ),
  },
  decision: { width: '7.5rem', cell: (file) => <Decision decision={file.decision} /> },
  version: { width: '5.5rem', align: 'end', cell: (file) => file.version },
  format: {
    width: '9rem',
    cell: (file) => factsOf(file)[0] ?? <span className="text-ink-subtle">{LABELS.mediaKind[file.media.kind]}</span>,
  },
  duration: {
    width: '6rem',
    align: 'end',
    cell: ({ media }) => (media.duration_seconds ? formatDuration(media.duration_seconds) : null),
  },
  size: { width: '6rem', align: 'end', cell: (file) => formatBytes(file.size) },
  sender: { width: '9rem', cell: (file) => <span className="line-clamp-2 wrap-anywhere">{senderOf(file)}</span> },
  received: { width: '8rem', cell: (file) => <RelativeTime value={file.created_at} /> },
}

/** What a file is, without what has a column of its own. */
const aboutOf = (file: FileSummary, columns: readonly FileColumn[]) =>
  [
    !columns.includes('version') && file.version > 1 && `Version ${file.version}`,
    ...factsOf(file).filter((_, index) => index > 0 || !columns.includes('format')),
    !columns.includes('size') && formatBytes(file.size),
    !columns.includes('sender') && `from ${senderOf(file)}`,
  ]
    .filter((part) => typeof part === 'string')
    .map(unbroken)
    .join(' · ')

/** “900 × 600 px” on one line; a sender may be longer than that. */
const unbroken = (part: string) => (part.length > 20 ? part : part.replaceAll(' ', '\u00a0'))

const senderOf = ({ source }: FileSummary) =>
  source.type === 'upload_link' ? `link “${source.name || 'without a label'}”` : source.name
