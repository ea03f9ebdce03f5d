import { z } from 'zod'
import { DomainError, quote } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { getBatchReport } from '@/lib/domain/pre-qc/report'
import { attachment } from './downloads'
import type { Exchange } from './endpoint'
import { queryOf } from './request'

const FORMATS = ['json'] as const
const Asked = z.strictObject({ format: z.string().default('json') })

/** The report of a batch, as a file to keep. @throws `unsupported_format` */
export async function batchReport({ request, ctx, params }: Exchange): Promise<Response> {
  const report = await getBatchReport.execute(ctx, params as never)
  const { format } = parseInput(Asked, queryOf(request), 'invalid_query')
  if (!FORMATS.includes(format as (typeof FORMATS)[number])) {
    throw new DomainError(
      'unsupported_format',
      `There is no report as ${quote(format)}. Ask for format=${FORMATS.join(' or format=')}.`,
    )
  }
  return new Response(JSON.stringify(report, null, 2), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': attachment(`${report.batch.name}, Pre-QC.json`),
    },
  })
}
