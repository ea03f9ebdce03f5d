import { endpoint } from '@/lib/http/endpoint'
import { sharedTile } from '@/lib/http/shared-files'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: sharedTile })
