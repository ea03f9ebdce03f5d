import { endpoint } from '@/lib/http/endpoint'
import { exportClientEstimate } from '@/lib/http/estimate-export'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: exportClientEstimate })
