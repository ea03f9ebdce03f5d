import { browseFiles } from '@/lib/domain/pre-qc/file-summaries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: browseFiles })
