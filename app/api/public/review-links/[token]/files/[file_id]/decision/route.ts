import { decideAsGuest } from '@/lib/domain/review-links/public'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: decideAsGuest })
