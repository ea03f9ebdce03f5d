import { getPublicCertificate } from '@/lib/domain/certificates/certificates'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getPublicCertificate })
