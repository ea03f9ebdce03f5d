import { listAuditEvents } from '@/lib/domain/audit/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listAuditEvents })
