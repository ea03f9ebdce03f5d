import { reviewFile } from '@/lib/domain/review/commands'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: reviewFile })
