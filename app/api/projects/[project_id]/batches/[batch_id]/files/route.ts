import { expectFile, receiveFile } from '@/lib/domain/files/commands'
import { listFiles } from '@/lib/domain/files/queries'
import { endpoint } from '@/lib/http/endpoint'
import { upload } from '@/lib/http/uploads'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listFiles, POST: upload(expectFile, receiveFile) })
