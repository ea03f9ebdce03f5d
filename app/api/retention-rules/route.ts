import { getServiceRetention, updateServiceRetention } from '@/lib/domain/retention/settings'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getServiceRetention, PUT: updateServiceRetention })
