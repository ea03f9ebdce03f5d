import { expectFile, receiveFile } from '@/lib/domain/files/commands'
import { resumable } from '@/lib/http/resumable'

export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = resumable(expectFile, receiveFile)
