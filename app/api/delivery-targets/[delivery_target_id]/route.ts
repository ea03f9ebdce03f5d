import { deleteDeliveryTarget, getDeliveryTarget, updateDeliveryTarget } from '@/lib/domain/deliveries/targets'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getDeliveryTarget,
  PATCH: updateDeliveryTarget,
  DELETE: deleteDeliveryTarget,
})
