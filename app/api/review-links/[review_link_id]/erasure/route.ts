import { eraseGuest, previewGuestErasure } from '@/lib/domain/erasure/guests'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: previewGuestErasure, POST: eraseGuest })
