import { endpoint } from '@/lib/http/endpoint'
import { liveShare } from '@/lib/http/live'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: liveShare })
