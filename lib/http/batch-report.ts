import { quote } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { getBatchReport, ReportFormat } from '@/lib/domain/pre-qc/report'
import { service } from '@/lib/service'
import { fileResponse, pdfResponse } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import { HttpError } from './http-error'
import { queryOf } from './request'
import type { RouteResponse } from './response'

const FORMATS = ['json', 'pdf']

/** The report of a batch, as a file to keep. @throws `unsupported_format` */
export async function batchReport({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const report = await executeFor(getBatchReport, { ctx, params })
  const { format } = parseInput(ReportFormat, queryOf(request), 'invalid_query')
  if (!FORMATS.includes(format)) {
    throw new HttpError(
      'unsupported_format',
      `There is no report as ${quote(format)}. Ask for format=${FORMATS.join(' or format=')}.`,
    )
  }
  const name = `${report.batch.name}, Pre-QC.${format}`
  if (format === 'pdf')
    return pdfResponse(name, report, await service().print(report.batch.id, { kind: 'report', report }))
  return fileResponse(name, 'application/json', JSON.stringify(report, null, 2))
}
