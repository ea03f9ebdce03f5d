import { receiveFileByLink } from '@/lib/domain/upload-links/public'
import { resumable } from '@/lib/uploads/resumable'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resumable(receiveFileByLink)
