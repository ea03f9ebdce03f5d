import { listMyWork } from '@/lib/domain/batches/my-work'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listMyWork })
