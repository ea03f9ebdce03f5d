import { browseBatches } from '@/lib/domain/batches/browse'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: browseBatches })
