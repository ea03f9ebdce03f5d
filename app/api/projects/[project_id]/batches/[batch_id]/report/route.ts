import { batchReport } from '@/lib/http/batch-report'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: batchReport })
