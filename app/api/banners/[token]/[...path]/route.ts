import { bannerPart } from '@/lib/http/banner'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: bannerPart })
