import { listReceivingLinks } from '@/lib/domain/upload-links/receiving'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listReceivingLinks })
