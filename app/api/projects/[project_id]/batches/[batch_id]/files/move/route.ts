import { moveFiles } from '@/lib/domain/files/move'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: moveFiles })
