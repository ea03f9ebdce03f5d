import { retryJob } from '@/lib/domain/service-status/commands'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: retryJob })
