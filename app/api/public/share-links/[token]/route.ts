import { getShare } from '@/lib/domain/share-links/public'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getShare })
