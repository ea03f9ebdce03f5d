import { endpoint } from '@/lib/http/endpoint'
import { metrics } from '@/lib/http/metrics'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: metrics })
