import { getDeliveryReceipt } from '@/lib/domain/deliveries/operations'
import { type DeliveryReceipt, ReceiptFormat } from '@/lib/domain/deliveries/schema'
import { quote } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { toCsv } from './csv'
import { fileResponse } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import { HttpError } from './http-error'
import { queryOf } from './request'
import type { RouteResponse } from './response'

/** The receipt of a delivery, as a file to keep. @throws `unsupported_format` */
export async function deliveryReceipt({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const receipt = await executeFor(getDeliveryReceipt, { ctx, params })
  const { format } = parseInput(ReceiptFormat, queryOf(request), 'invalid_query')
  const name = `${receipt.batch}, delivery to ${receipt.target.name}`
  if (format === 'json') return fileResponse(`${name}.json`, 'application/json', JSON.stringify(receipt, null, 2))
  if (format === 'csv') return fileResponse(`${name}.csv`, 'text/csv; charset=utf-8', csvOf(receipt))
  throw new HttpError(
    'unsupported_format',
    `There is no receipt as ${quote(format)}. Ask for format=json or format=csv.`,
  )
}

/** A row a file; every row says which delivery it belongs to. */
const csvOf = ({ delivery_id, project, batch, round, target, files }: DeliveryReceipt) =>
  toCsv([
    [
      ...['delivery_id', 'project', 'batch', 'round', 'target', 'file', 'version', 'path', 'place', 'bytes', 'sha256'],
      ...['status', 'proof', 'delivered_at', 'reason'],
    ],
    ...files.map((file) => [
      ...[delivery_id, project, batch, round, target.name, file.name, file.version, file.path, file.place],
      ...[file.size, file.sha256, file.status, file.proof, file.delivered_at, file.reason],
    ]),
  ])
