import { listActivity } from '@/lib/domain/batches/activity'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listActivity })
