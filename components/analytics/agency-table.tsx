import { Building2 } from 'lucide-react'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { StackedBar } from '@/components/ui/progress'
import type { AgencyMetrics } from '@/lib/domain/analytics/schema'
import { formatNumber } from '@/lib/format'
import { duration, share } from './wording'

export const SORTS = {
  agency: (row: AgencyMetrics) => row.agency.name.toLowerCase(),
  files: (row: AgencyMetrics) => row.files_checked,
  pass_rate: (row: AgencyMetrics) => row.pass_rate,
  first_time: (row: AgencyMetrics) => row.first_time_pass_rate,
  rounds: (row: AgencyMetrics) => (row.files_checked === 0 ? null : row.resupply_rounds_average),
  rejected: (row: AgencyMetrics) => row.uploads_rejected,
  agency_hours: (row: AgencyMetrics) => row.median_hours.agency,
  review_hours: (row: AgencyMetrics) => row.median_hours.review,
} as const
export type SortKey = keyof typeof SORTS
export type Direction = 'asc' | 'desc'

/** Sorted by one column; what has no value comes last either way. */
export function sorted(rows: readonly AgencyMetrics[], key: SortKey, direction: Direction): AgencyMetrics[] {
  const sign = direction === 'asc' ? 1 : -1
  return [...rows].sort((a, b) => {
    const [x, y] = [SORTS[key](a), SORTS[key](b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return x === y ? a.agency.name.localeCompare(b.agency.name, 'en') : x < y ? -sign : sign
  })
}

/** The metrics of agencies, in the order they are given; a row leads to the screen for that agency alone. */
export function AgencyTable({
  rows,
  sort,
  rowHref,
  sortHref,
}: {
  rows: readonly AgencyMetrics[]
  sort: { key: SortKey; direction: Direction }
  rowHref: (agencyId: string) => string
  sortHref: (key: string, direction: Direction) => string
}) {
  return (
    <DataTable
      caption="Metrics by agency"
      rows={rows}
      rowKey={(row) => row.agency.id}
      rowHref={(row) => rowHref(row.agency.id)}
      sort={{ ...sort, href: sortHref }}
      columns={[
        { key: 'agency', header: 'Agency', sortable: true, cell: (row) => row.agency.name },
        {
          key: 'files',
          header: 'Files',
          sortable: true,
          width: '11rem',
          cell: (row) => (
            <span className="flex items-center gap-3 tabular-nums">
              <span className="w-8 text-right">{formatNumber(row.files_checked)}</span>
              <StackedBar
                label={`Verdicts of ${row.agency.name}`}
                className="w-24"
                parts={[
                  { value: row.pass, tone: 'pass', label: 'pass' },
                  { value: row.warning, tone: 'warn', label: 'warning' },
                  { value: row.fail, tone: 'fail', label: 'fail' },
                ]}
              />
            </span>
          ),
        },
        { key: 'pass_rate', header: 'Pass rate', sortable: true, align: 'end', cell: (row) => share(row.pass_rate) },
        {
          key: 'first_time',
          header: 'First-time',
          sortable: true,
          align: 'end',
          cell: (row) => share(row.first_time_pass_rate),
        },
        {
          key: 'rounds',
          header: 'Resupplies',
          sortable: true,
          align: 'end',
          cell: (row) => (row.files_checked === 0 ? '–' : formatNumber(row.resupply_rounds_average, 1)),
        },
        {
          key: 'rejected',
          header: 'Refused',
          sortable: true,
          align: 'end',
          cell: (row) => formatNumber(row.uploads_rejected),
        },
        {
          key: 'agency_hours',
          header: 'Agency’s turn',
          sortable: true,
          align: 'end',
          cell: (row) => duration(row.median_hours.agency),
        },
        {
          key: 'review_hours',
          header: 'Our turn',
          sortable: true,
          align: 'end',
          cell: (row) => duration(row.median_hours.review),
        },
      ]}
      empty={
        <EmptyState icon={<Building2 />} title="No agencies yet">
          Metrics come agency by agency, once there is one whose files were checked.
        </EmptyState>
      }
    />
  )
}
