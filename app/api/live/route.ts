import { endpoint } from '@/lib/http/endpoint'
import { live } from '@/lib/http/live'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: live })
