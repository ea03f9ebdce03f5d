import { listUsers } from '@/lib/domain/directory/queries'
import { createUser } from '@/lib/domain/directory/users'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listUsers, POST: createUser })
