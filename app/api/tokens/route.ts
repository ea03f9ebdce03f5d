import { createToken, listTokens } from '@/lib/domain/directory/tokens'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listTokens, POST: createToken })
