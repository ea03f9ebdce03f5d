import { createWebhook } from '@/lib/domain/webhooks/commands'
import { listWebhooks } from '@/lib/domain/webhooks/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listWebhooks, POST: createWebhook })
