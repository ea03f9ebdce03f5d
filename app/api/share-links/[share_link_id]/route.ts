import { deactivateShareLink, getShareLink } from '@/lib/domain/share-links/staff'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getShareLink, DELETE: deactivateShareLink })
