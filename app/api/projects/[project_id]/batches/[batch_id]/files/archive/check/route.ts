import { checkSelectedFiles } from '@/lib/domain/files/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: checkSelectedFiles })
