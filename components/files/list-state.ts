'use client'

import { parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { FileFilters } from '@/lib/domain/files/schema'
import { FILE_ORDERS, MEDIA_KINDS, RESULT_SUMMARIES, REVIEW_DECISIONS } from '@/lib/vocabulary'

/** Columns of the table beside the name, in the order they have there. */
export const FILE_COLUMNS = [
  'verdict',
  'decision',
  'version',
  'format',
  'duration',
  'size',
  'sender',
  'received',
] as const
export type FileColumn = (typeof FILE_COLUMNS)[number]
export const COLUMN_LABELS: Record<FileColumn, string> = {
  verdict: 'Pre-QC',
  decision: 'Review',
  version: 'Version',
  format: 'Format',
  duration: 'Duration',
  size: 'Size',
  sender: 'Sender',
  received: 'Received',
}
const FIRST_COLUMNS: FileColumn[] = ['verdict', 'decision', 'received']

const FILTERS = {
  q: parseAsString.withDefault(''),
  verdict: parseAsStringLiteral(RESULT_SUMMARIES),
  decision: parseAsStringLiteral(REVIEW_DECISIONS),
  kind: parseAsStringLiteral(MEDIA_KINDS),
  check: parseAsString,
  sender: parseAsString,
}
export const FILTER_NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[]

const LIST = {
  ...FILTERS,
  view: parseAsStringLiteral(['table', 'grid', 'matrix']).withDefault('table'),
  order: parseAsStringLiteral(FILE_ORDERS).withDefault('newest'),
  direction: parseAsStringLiteral(['asc', 'desc']),
  density: parseAsStringLiteral(['comfortable', 'compact']).withDefault('comfortable'),
  columns: parseAsArrayOf(parseAsStringLiteral(FILE_COLUMNS)).withDefault(FIRST_COLUMNS),
}

export const LIST_PARAMS = Object.keys(LIST)

/** What of the files of a batch is shown, and how: all of it stands in the address. */
export function useListState() {
  const [state, set] = useQueryStates(LIST)
  return { state, set }
}
export type ListState = ReturnType<typeof useListState>

/** What the server is asked for. */
export const filtersOf = ({ state }: Pick<ListState, 'state'>): FileFilters => ({
  q: state.q,
  verdict: state.verdict ?? undefined,
  decision: state.decision ?? undefined,
  kind: state.kind ?? undefined,
  check: state.check ?? undefined,
  sender: state.sender ?? undefined,
  order: state.order,
  direction: state.direction ?? undefined,
})

export const isFiltered = ({ state }: Pick<ListState, 'state'>) =>
  FILTER_NAMES.some((name) => (name === 'q' ? state.q.trim() : state[name]))
