import { getCertificate, issueCertificate } from '@/lib/domain/certificates/certificates'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getCertificate, POST: issueCertificate })
