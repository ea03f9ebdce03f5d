import { noteLinkOpened } from '@/lib/domain/upload-links/public'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: noteLinkOpened })
