import { endpoint } from '@/lib/http/endpoint'
import { closeSession, openSession } from '@/lib/uploads/sessions'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: openSession, DELETE: closeSession })
