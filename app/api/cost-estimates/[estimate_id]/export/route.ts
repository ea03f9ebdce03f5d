import { endpoint } from '@/lib/http/endpoint'
import { exportEstimate } from '@/lib/http/estimate-export'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: exportEstimate })
