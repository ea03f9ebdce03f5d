import { Readable } from 'node:stream'
import { quote } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import {
  countInto,
  getBatchReport,
  noCounts,
  openBatchReport,
  REPORTED_AT_ONCE,
  ReportFormat,
  readReportPart,
} from '@/lib/domain/pre-qc/report'
import { service } from '@/lib/service'
import { attachment, pdfResponse } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import { HttpError } from './http-error'
import { queryOf } from './request'
import { packed, type RouteResponse } from './response'

const FORMATS = ['json', 'pdf']

/** The report of a batch, as a file to keep. @throws `unsupported_format` */
export async function batchReport(exchange: Exchange): Promise<RouteResponse> {
  const { request, ctx, params } = exchange
  // Whether there is such a batch is said before whether there is such a format.
  const opened = await executeFor(openBatchReport, { ctx, params })
  const { format } = parseInput(ReportFormat, queryOf(request), 'invalid_query')
  if (!FORMATS.includes(format)) {
    throw new HttpError(
      'unsupported_format',
      `There is no report as ${quote(format)}. Ask for format=${FORMATS.join(' or format=')}.`,
    )
  }
  const { batch } = opened.head
  const name = `${batch.name}, Pre-QC.${format}`
  if (format === 'json') {
    const headers = { 'Content-Type': 'application/json', 'Content-Disposition': attachment(name) }
    return packed(request, {
      status: 200,
      headers,
      body: Readable.from(jsonOf(exchange, opened), { objectMode: false }),
    })
  }
  const report = await executeFor(getBatchReport, { ctx, params })
  return pdfResponse(name, report, await service().print(batch.id, { kind: 'report', report }))
}

/** JSON on several lines, as part of something that is indented. */
const written = (value: unknown, indent: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)

/** A part at a time, however many files there are; the counts come last, as they are of what was sent. */
async function* jsonOf(
  { ctx, params }: Exchange,
  { head, fileIds }: Awaited<ReturnType<typeof openBatchReport.execute>>,
): AsyncGenerator<string, void> {
  const counts = noCounts()
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [`
  let before = ''
  for (let from = 0; from < fileIds.length; from += REPORTED_AT_ONCE) {
    const file_ids = fileIds.slice(from, from + REPORTED_AT_ONCE)
    const files = await executeFor(readReportPart, { ctx, params }, { file_ids })
    countInto(counts, files)
    if (files.length === 0) continue
    yield before + files.map((file) => `\n    ${written(file, '    ')}`).join(',')
    before = ','
  }
  yield `${before && '\n  '}],\n  "counts": ${written(counts, '  ')}\n}\n`
}
