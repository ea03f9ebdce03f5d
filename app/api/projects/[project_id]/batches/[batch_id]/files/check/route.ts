import { checkNewFiles } from '@/lib/domain/files/commands'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: checkNewFiles })
