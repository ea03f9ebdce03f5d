import { listComments } from '@/lib/domain/review/read-comments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listComments })
