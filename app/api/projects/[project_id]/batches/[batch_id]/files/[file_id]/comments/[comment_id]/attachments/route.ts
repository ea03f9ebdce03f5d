import { attachFile } from '@/lib/domain/review/attach'
import { endpoint } from '@/lib/http/endpoint'
import { multipart } from '@/lib/uploads/multipart'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: multipart(attachFile) })
