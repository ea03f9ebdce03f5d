import { deactivateUploadLink, getUploadLink, updateUploadLink } from '@/lib/domain/upload-links/staff'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getUploadLink,
  PATCH: updateUploadLink,
  DELETE: deactivateUploadLink,
})
