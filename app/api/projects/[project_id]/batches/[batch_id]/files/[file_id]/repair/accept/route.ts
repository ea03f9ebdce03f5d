import { acceptRepair } from '@/lib/domain/repairs/operations'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: acceptRepair })
