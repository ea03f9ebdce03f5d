import { createBatch } from '@/lib/domain/batches/commands'
import { listBatches } from '@/lib/domain/batches/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listBatches, POST: createBatch })
