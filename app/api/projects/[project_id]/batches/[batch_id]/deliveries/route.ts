import { listDeliveries, requestDelivery } from '@/lib/domain/deliveries/operations'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listDeliveries, POST: requestDelivery })
