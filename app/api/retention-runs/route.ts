import { listRetentionRuns, previewRetention } from '@/lib/domain/retention/runs'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listRetentionRuns, POST: previewRetention })
