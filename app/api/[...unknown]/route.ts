import { notFound } from '@/lib/domain/kernel/errors'
import { handle } from '@/lib/http/endpoint'

const unknown = handle(({ request }) => Promise.reject(notFound('path', new URL(request.url).pathname)))

export { unknown as DELETE, unknown as GET, unknown as PATCH, unknown as POST, unknown as PUT }
