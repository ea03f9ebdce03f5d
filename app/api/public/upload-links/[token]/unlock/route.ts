import { endpoint } from '@/lib/http/endpoint'
import { unlock } from '@/lib/uploads/sessions'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: unlock })
