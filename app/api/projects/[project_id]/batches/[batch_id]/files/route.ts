import { receiveFile } from '@/lib/domain/files/commands'
import { listFiles } from '@/lib/domain/files/queries'
import { endpoint } from '@/lib/http/endpoint'
import { multipart } from '@/lib/uploads/multipart'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listFiles, POST: multipart(receiveFile) })
