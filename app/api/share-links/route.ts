import { createShareLink, listShareLinks } from '@/lib/domain/share-links/staff'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listShareLinks, POST: createShareLink })
