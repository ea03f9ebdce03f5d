import { progressOf } from '@/lib/domain/batches/covers'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: progressOf })
