import { createResetLink } from '@/lib/domain/directory/password-resets'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: createResetLink })
