import { verifyFile } from '@/lib/domain/certificates/certificates'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: verifyFile })
