import { getCertificate } from '@/lib/domain/certificates/certificates'
import { attachment } from './downloads'
import type { Exchange } from './endpoint'

/** The certificate of a batch on paper. */
export async function printCertificate({ ctx, params }: Exchange): Promise<Response> {
  const certificate = await getCertificate.execute(ctx, params as never)
  const pdf = await ctx.outside.print(certificate.statement.batch.id, { kind: 'certificate', certificate })
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': attachment(`${certificate.statement.batch.name}, certificate.pdf`),
    },
  })
}
