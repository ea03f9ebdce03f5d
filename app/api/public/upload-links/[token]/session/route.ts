import { endpoint } from '@/lib/http/endpoint'
import { closeSession, openSession } from '@/lib/http/upload-sessions'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: openSession, DELETE: closeSession })
