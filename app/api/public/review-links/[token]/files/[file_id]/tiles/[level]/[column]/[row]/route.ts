import { endpoint } from '@/lib/http/endpoint'
import { roomTile } from '@/lib/http/review-room'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: roomTile })
