import { submitBatch } from '@/lib/domain/batches/commands'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: submitBatch })
