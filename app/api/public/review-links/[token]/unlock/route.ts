import { endpoint } from '@/lib/http/endpoint'
import { unlockRoom } from '@/lib/http/review-room'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: unlockRoom })
