import { endpoint, respond } from '@/lib/http/endpoint'
import { openApiDocument } from '@/lib/http/openapi'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: async ({ ctx }) => respond(200, openApiDocument(ctx.ports.baseUrl)),
})
