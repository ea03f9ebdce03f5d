import { rerunBatch } from '@/lib/domain/pre-qc/commands'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: rerunBatch })
