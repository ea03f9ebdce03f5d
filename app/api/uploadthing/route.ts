import { endpoint } from '@/lib/http/endpoint'
import { straightUploads } from '@/lib/http/straight-uploads'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: straightUploads })
