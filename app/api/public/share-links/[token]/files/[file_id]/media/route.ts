import { endpoint } from '@/lib/http/endpoint'
import { sharedMedia } from '@/lib/http/shared-files'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: sharedMedia })
