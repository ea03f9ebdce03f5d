import { endpoint } from '@/lib/http/endpoint'
import { roomMedia } from '@/lib/http/review-room'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: roomMedia })
