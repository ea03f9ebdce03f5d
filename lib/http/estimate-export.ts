import { openClientEstimate } from '@/lib/domain/cost-estimates/client'
import { ExportEstimate } from '@/lib/domain/cost-estimates/schema'
import { openEstimate } from '@/lib/domain/cost-estimates/sheet'
import { quote } from '@/lib/domain/kernel/errors'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { service } from '@/lib/service'
import { toCsv } from './csv'
import { fileResponse, pdfResponse } from './downloads'
import { acting, type Exchange, executeFor } from './endpoint'
import { HttpError } from './http-error'
import { queryOf } from './request'
import type { RouteResponse } from './response'

/** `GET .../export?format=pdf|csv`: the estimate as a file. */
export async function exportEstimate({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  if (ctx.actor.type === 'anonymous') throw unauthenticated()
  const opened = await executeFor(openEstimate, { ctx, params })
  const { estimate, sheet } = opened
  const { format } = parseInput(ExportEstimate, queryOf(request), 'invalid_query')
  const name = `${estimate.number} ${estimate.title}`
  if (format === 'pdf')
    return pdfResponse(`${name}.pdf`, sheet, await service().print(estimate.id, { kind: 'estimate', sheet }))
  if (format === 'csv') return fileResponse(`${name}.csv`, 'text/csv; charset=utf-8', csvOf(opened))
  throw new HttpError(
    'unsupported_format',
    `An estimate is exported as pdf or csv; ${quote(format)} is neither. Ask for ?format=pdf or ?format=csv.`,
  )
}

/** The client's copy. */
export async function exportClientEstimate(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openClientEstimate, exchange)
  const { id, number, title, sheet } = await executeFor(openClientEstimate, { ctx, params: exchange.params })
  const pdf = await service().print(id, { kind: 'estimate', sheet })
  return pdfResponse(`${number} ${title}.pdf`, sheet, pdf)
}

type Opened = Awaited<ReturnType<typeof openEstimate.execute>>

/**
 * A row a line, then the sums; every row says which estimate it belongs to. `date` is the day of the submission, of a
 * draft the day it was last changed; `tax_rate` is in percent.
 */
function csvOf({ estimate, lines, sheet }: Opened): string {
  const about = [estimate.number, estimate.revision, estimate.title, sheet.issuedAt.slice(0, 10)]
  const money = [estimate.currency, Number(estimate.taxRate)]
  const sums = [
    ['subtotal', estimate.subtotal],
    ['discount', estimate.discountAmount],
    ['tax', estimate.taxAmount],
    ['total', estimate.total],
  ] as const
  return toCsv([
    [
      ...['number', 'revision', 'title', 'date', 'position', 'description', 'quantity', 'unit', 'unit_price', 'amount'],
      ...['optional', 'declined', 'currency', 'tax_rate'],
    ],
    ...lines.map((line) => [
      ...about,
      line.position,
      line.description,
      Number(line.quantity),
      line.unit,
      Number(line.unitPrice),
      Number(line.amount),
      line.isOption ? 'yes' : 'no',
      line.isDeclined ? 'yes' : 'no',
      ...money,
    ]),
    ...sums.map(([label, value]) => [...about, null, label, null, null, null, Number(value), null, null, ...money]),
  ])
}
