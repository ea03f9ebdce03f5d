import { listRejectedFiles } from '@/lib/domain/upload-links/rejected-files'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listRejectedFiles })
