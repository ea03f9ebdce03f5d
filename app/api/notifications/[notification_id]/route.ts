import { updateNotification } from '@/lib/domain/notifications/inbox'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ PATCH: updateNotification })
