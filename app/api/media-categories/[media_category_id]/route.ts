import { updateMediaCategory } from '@/lib/domain/settings/commands'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getMediaCategory, PATCH: updateMediaCategory })
