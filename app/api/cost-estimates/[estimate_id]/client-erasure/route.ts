import { eraseClient, previewClientErasure } from '@/lib/domain/erasure/estimates'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: previewClientErasure, POST: eraseClient })
