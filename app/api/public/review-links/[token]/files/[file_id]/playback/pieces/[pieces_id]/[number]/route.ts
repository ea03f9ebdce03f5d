import { endpoint } from '@/lib/http/endpoint'
import { roomPiece } from '@/lib/http/review-room'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: roomPiece })
