import { createUploadLink, listUploadLinks } from '@/lib/domain/upload-links/staff'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listUploadLinks, POST: createUploadLink })
