import { endpoint } from '@/lib/http/endpoint'
import { platePdf } from '@/lib/http/separations'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: platePdf })
