import { endpoint } from '@/lib/http/endpoint'
import { pageSeparations } from '@/lib/http/separations'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: pageSeparations })
