import { endpoint } from '@/lib/http/endpoint'
import { liveRoom } from '@/lib/http/live'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: liveRoom })
