import { detachFile } from '@/lib/domain/review/attach'
import { attachedBytes } from '@/lib/http/attachments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: attachedBytes, DELETE: detachFile })
