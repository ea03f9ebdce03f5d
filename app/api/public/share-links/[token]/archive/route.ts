import { shareArchive } from '@/lib/http/batch-archive'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: shareArchive })
