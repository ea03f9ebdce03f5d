import { endpoint } from '@/lib/http/endpoint'
import { ready } from '@/lib/http/health'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: ready })
