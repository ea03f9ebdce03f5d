import { byLink } from '@/lib/domain/direct-uploads/operations'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: byLink.get, DELETE: byLink.cancel })
