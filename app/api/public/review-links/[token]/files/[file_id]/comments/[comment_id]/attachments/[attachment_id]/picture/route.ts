import { roomAttachmentImage } from '@/lib/http/attachments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: roomAttachmentImage })
