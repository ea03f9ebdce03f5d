import { deactivateShareLink, getShareLink, updateShareLink } from '@/lib/domain/share-links/staff'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getShareLink,
  PATCH: updateShareLink,
  DELETE: deactivateShareLink,
})
