import { expectFileByLink, readUploadByLink, receiveFileByLink } from '@/lib/domain/upload-links/public'
import { resumable } from '@/lib/http/resumable'

export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = resumable(
  expectFileByLink,
  receiveFileByLink,
  readUploadByLink,
)
