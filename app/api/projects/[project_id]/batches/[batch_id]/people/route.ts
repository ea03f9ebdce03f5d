import { listBatchPeople } from '@/lib/domain/review/mentions'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listBatchPeople })
