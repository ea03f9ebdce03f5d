import { endpoint, respond } from '@/lib/http/endpoint'
import { wholeOpenApiDocument } from '@/lib/http/openapi'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: async ({ ctx }) => respond(200, wholeOpenApiDocument(ctx.ports.baseUrl)),
})
