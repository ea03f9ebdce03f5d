import { getUser } from '@/lib/domain/directory/queries'
import { updateUser } from '@/lib/domain/directory/users'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getUser, PATCH: updateUser })
