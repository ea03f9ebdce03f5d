import { copyComment } from '@/lib/domain/review/comments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: copyComment })
