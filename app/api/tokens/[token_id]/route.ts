import { getToken, revokeToken } from '@/lib/domain/directory/tokens'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getToken, DELETE: revokeToken })
