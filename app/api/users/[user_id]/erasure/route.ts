import { eraseUser, previewErasure } from '@/lib/domain/erasure/users'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: previewErasure, POST: eraseUser })
