import { checkBatchTable } from '@/lib/domain/batches/from-table'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: checkBatchTable })
