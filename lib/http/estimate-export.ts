import { openClientEstimate } from '@/lib/domain/cost-estimates/client'
import { openEstimate } from '@/lib/domain/cost-estimates/sheet'
import { DomainError, quote } from '@/lib/domain/kernel/errors'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import type { Answer } from './answer'
import { fileAnswer } from './downloads'
import { acting, type Exchange } from './endpoint'

/** `GET .../export?format=pdf|csv`: the estimate as a file. */
export async function exportEstimate({ request, ctx, params }: Exchange): Promise<Answer> {
  if (ctx.actor.type === 'anonymous') throw unauthenticated()
  const { estimate, sheet, lines } = await openEstimate.execute(ctx, params as never)
  const format = new URL(request.url).searchParams.get('format') ?? 'pdf'
  const name = `${estimate.number} ${estimate.title}`
  if (format === 'pdf')
    return fileAnswer(
      `${name}.pdf`,
      'application/pdf',
      await ctx.outside.print(estimate.id, { kind: 'estimate', sheet }),
    )
  if (format === 'csv') return fileAnswer(`${name}.csv`, 'text/csv; charset=utf-8', csvOf(estimate, lines))
  throw new DomainError(
    'unsupported_format',
    `An estimate is exported as pdf or csv; ${quote(format)} is neither. Ask for ?format=pdf or ?format=csv.`,
  )
}

/** The client's copy. */
export async function exportClientEstimate(exchange: Exchange): Promise<Answer> {
  const ctx = await acting(openClientEstimate, exchange)
  const { id, number, title, sheet } = await openClientEstimate.execute(ctx, exchange.params as never)
  const pdf = await ctx.outside.print(id, { kind: 'estimate', sheet })
  return fileAnswer(`${number} ${title}.pdf`, 'application/pdf', pdf)
}

type Opened = Awaited<ReturnType<typeof openEstimate.execute>>

/** RFC 4180, with a byte order mark for the spreadsheets that need one. */
function csvOf(estimate: Opened['estimate'], lines: Opened['lines']): string {
  const decimal = (value: string) => value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
  const rows = [
    ['position', 'description', 'quantity', 'unit', 'unit_price', 'amount', 'optional', 'declined', 'currency'],
    ...lines.map((line) => [
      String(line.position),
      safe(line.description),
      decimal(line.quantity),
      line.unit ?? '',
      decimal(line.unitPrice),
      decimal(line.amount),
      line.isOption ? 'yes' : 'no',
      line.isDeclined ? 'yes' : 'no',
      estimate.currency,
    ]),
    ...(
      [
        ['subtotal', estimate.subtotal],
        ['discount', estimate.discountAmount],
        ['tax', estimate.taxAmount],
        ['total', estimate.total],
      ] as const
    ).map(([label, value]) => ['', label, '', '', '', decimal(value), '', '', estimate.currency]),
  ]
  return `\ufeff${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A cell that begins like a formula is text: spreadsheets would run it (OWASP, CSV injection). */
const safe = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
