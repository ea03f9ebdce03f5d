import { createMediaCategory } from '@/lib/domain/settings/commands'
import { listMediaCategories } from '@/lib/domain/settings/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listMediaCategories, POST: createMediaCategory })
