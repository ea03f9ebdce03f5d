import { endpoint } from '@/lib/http/endpoint'
import { directUploads } from '@/lib/uploads/uploadthing'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: directUploads })
