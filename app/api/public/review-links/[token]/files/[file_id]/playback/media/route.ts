import { endpoint } from '@/lib/http/endpoint'
import { roomPlayback } from '@/lib/http/review-room'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: roomPlayback })
