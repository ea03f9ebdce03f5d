import { createDeliveryTarget, listDeliveryTargets } from '@/lib/domain/deliveries/targets'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listDeliveryTargets, POST: createDeliveryTarget })
