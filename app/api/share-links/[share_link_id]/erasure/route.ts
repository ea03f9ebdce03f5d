import { eraseReceiver, previewReceiverErasure } from '@/lib/domain/erasure/guests'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: previewReceiverErasure, POST: eraseReceiver })
