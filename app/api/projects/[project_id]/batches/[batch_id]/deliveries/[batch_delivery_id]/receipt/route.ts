import { deliveryReceipt } from '@/lib/http/delivery-receipt'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: deliveryReceipt })
