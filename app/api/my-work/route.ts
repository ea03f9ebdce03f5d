import { listMyWork } from '@/lib/domain/batches/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listMyWork })
