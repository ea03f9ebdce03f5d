import { rejectedAttachment } from '@/lib/http/attachments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: rejectedAttachment })
