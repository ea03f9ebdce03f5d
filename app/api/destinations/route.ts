import { importDestination } from '@/lib/domain/destinations/commands'
import { listDestinations } from '@/lib/domain/destinations/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listDestinations, POST: importDestination })
