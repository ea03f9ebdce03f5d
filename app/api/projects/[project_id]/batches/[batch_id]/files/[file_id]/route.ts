import { deleteFile } from '@/lib/domain/files/commands'
import { getFile } from '@/lib/domain/files/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getFile, DELETE: deleteFile })
