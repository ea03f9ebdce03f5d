import { getCertificate } from '@/lib/domain/certificates/certificates'
import { service } from '@/lib/service'
import type { Answer } from './answer'
import { pdfAnswer } from './downloads'
import type { Exchange } from './endpoint'

/** The certificate of a batch on paper. */
export async function printCertificate({ ctx, params }: Exchange): Promise<Answer> {
  const certificate = await getCertificate.execute(ctx, params as never)
  const pdf = await service().print(certificate.statement.batch.id, { kind: 'certificate', certificate })
  return pdfAnswer(`${certificate.statement.batch.name}, certificate.pdf`, certificate, pdf)
}
