import { changeMailPreferences, getMailPreferences } from '@/lib/domain/notifications/preferences'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getMailPreferences, PUT: changeMailPreferences })
