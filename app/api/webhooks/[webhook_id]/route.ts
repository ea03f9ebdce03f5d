import { deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/commands'
import { getWebhook } from '@/lib/domain/webhooks/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getWebhook,
  PATCH: updateWebhook,
  DELETE: deleteWebhook,
})
