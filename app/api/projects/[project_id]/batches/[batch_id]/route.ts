import { updateBatch } from '@/lib/domain/batches/commands'
import { getBatch } from '@/lib/domain/batches/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getBatch, PATCH: updateBatch })
