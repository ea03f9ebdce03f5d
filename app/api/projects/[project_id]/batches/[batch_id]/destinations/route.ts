import { browseDestinations } from '@/lib/domain/pre-qc/destinations'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: browseDestinations })
