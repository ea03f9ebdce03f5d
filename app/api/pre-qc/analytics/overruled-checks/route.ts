import { getOverruledChecks } from '@/lib/domain/analytics/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getOverruledChecks })
