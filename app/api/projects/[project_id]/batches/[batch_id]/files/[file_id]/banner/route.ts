import { openBanner } from '@/lib/domain/files/banner'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: openBanner })
