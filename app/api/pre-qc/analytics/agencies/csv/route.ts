import { exportAgencyAnalytics } from '@/lib/http/analytics-csv'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: exportAgencyAnalytics })
