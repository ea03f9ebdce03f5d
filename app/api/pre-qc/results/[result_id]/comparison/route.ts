import { compareAttempts } from '@/lib/domain/pre-qc/attempts'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: compareAttempts })
