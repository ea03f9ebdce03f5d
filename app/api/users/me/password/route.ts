import { changeOwnPassword } from '@/lib/domain/directory/users'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: changeOwnPassword })
