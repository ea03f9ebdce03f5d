import { assignBatches } from '@/lib/domain/batches/assign'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: assignBatches })
