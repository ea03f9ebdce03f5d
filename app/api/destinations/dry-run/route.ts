import { tryDestination } from '@/lib/domain/pre-qc/try-destination'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: tryDestination })
