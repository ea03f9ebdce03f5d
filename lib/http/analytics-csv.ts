import { getAgencyAnalytics } from '@/lib/domain/analytics/queries'
import type { AgencyMetrics } from '@/lib/domain/analytics/schema'
import { toCsv } from './csv'
import type { Exchange } from './endpoint'
import { queryOf } from './request'
import type { RouteResponse } from './response'

const COLUMNS: readonly [head: string, cell: (row: AgencyMetrics) => string | number | null][] = [
  ['agency_id', (row) => row.agency.id],
  ['agency', (row) => row.agency.name],
  ['files_checked', (row) => row.files_checked],
  ['pass', (row) => row.pass],
  ['warning', (row) => row.warning],
  ['fail', (row) => row.fail],
  ['not_applicable', (row) => row.not_applicable],
  ['pass_rate', (row) => row.pass_rate],
  ['previous_pass_rate', (row) => row.previous.pass_rate],
  ['first_time_pass_rate', (row) => row.first_time_pass_rate],
  ['resupply_rounds_average', (row) => row.resupply_rounds_average],
  ['uploads_rejected', (row) => row.uploads_rejected],
  ['median_hours_agency', (row) => row.median_hours.agency],
  ['median_hours_review', (row) => row.median_hours.review],
  ['top_failing_checks', (row) => row.top_failing_checks.map(({ label, count }) => `${label} (${count})`).join('; ')],
]

/** The metrics of every agency as a spreadsheet reads them; the same numbers, unrounded. */
export async function exportAgencyAnalytics({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const { from, to, agencies } = await getAgencyAnalytics.execute(ctx, params, queryOf(request))
  const rows = agencies.map((row) => COLUMNS.map(([, cell]) => cell(row)))
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="agencies-${from}-to-${to}.csv"`,
    },
    body: toCsv([COLUMNS.map(([head]) => head), ...rows]),
  }
}
