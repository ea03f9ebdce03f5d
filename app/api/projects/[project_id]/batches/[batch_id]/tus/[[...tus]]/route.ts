import { receiveFile } from '@/lib/domain/files/commands'
import { resumable } from '@/lib/uploads/resumable'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resumable(receiveFile)
