import { listDeliverableFiles } from '@/lib/domain/deliveries/operations'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listDeliverableFiles })
