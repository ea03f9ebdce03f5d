import { detachFileAsGuest } from '@/lib/domain/review-links/public'
import { roomAttachment } from '@/lib/http/attachments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: roomAttachment, DELETE: detachFileAsGuest })
