import { getRoomTiles, makeRoomTiles } from '@/lib/domain/review-links/tiles'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getRoomTiles, POST: makeRoomTiles })
