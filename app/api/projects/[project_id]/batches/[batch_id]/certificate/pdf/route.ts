import { printCertificate } from '@/lib/http/certificate-print'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: printCertificate })
