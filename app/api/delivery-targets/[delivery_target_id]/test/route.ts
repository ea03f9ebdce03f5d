import { testDeliveryTarget } from '@/lib/domain/deliveries/targets'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: testDeliveryTarget })
