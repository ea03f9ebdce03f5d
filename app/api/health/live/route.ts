import { endpoint } from '@/lib/http/endpoint'
import { live } from '@/lib/http/health'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: live })
