import { rotateWebhookSecret } from '@/lib/domain/webhooks/commands'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: rotateWebhookSecret })
