import { getLegalHold } from '@/lib/domain/retention/holds'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getLegalHold })
