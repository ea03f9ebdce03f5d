import { getProjectRetention, updateProjectRetention } from '@/lib/domain/retention/settings'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getProjectRetention, PUT: updateProjectRetention })
