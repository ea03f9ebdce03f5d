import { getCertificate } from '@/lib/domain/certificates/certificates'
import { service } from '@/lib/service'
import { pdfResponse } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import type { RouteResponse } from './response'

/** The certificate of a batch on paper. */
export async function printCertificate({ ctx, params }: Exchange): Promise<RouteResponse> {
  const certificate = await executeFor(getCertificate, { ctx, params })
  const pdf = await service().print(certificate.statement.batch.id, { kind: 'certificate', certificate })
  return pdfResponse(`${certificate.statement.batch.name}, certificate.pdf`, certificate, pdf)
}
