import { getServiceStatus } from '@/lib/domain/service-status/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getServiceStatus })
