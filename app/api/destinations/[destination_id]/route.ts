import { withdrawDestination } from '@/lib/domain/destinations/commands'
import { getDestination } from '@/lib/domain/destinations/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getDestination, DELETE: withdrawDestination })
