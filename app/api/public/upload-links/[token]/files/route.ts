import { expectFileByLink, receiveFileByLink } from '@/lib/domain/upload-links/public'
import { endpoint } from '@/lib/http/endpoint'
import { upload } from '@/lib/http/uploads'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: upload(expectFileByLink, receiveFileByLink) })
