import { cache } from 'react'
import { wholeOpenApiDocument } from '@/lib/http/openapi'
import { service } from '@/lib/service'

/** The reference of /api in sections, made from the same document that programs read at /api/openapi.json: once for each page. */
export const reference = cache(() => {
  const { baseUrl } = service().ports
  const document = wholeOpenApiDocument(baseUrl)
  const sections = document.tags.map((tag) => ({
    ...tag,
    id: tag.name.toLowerCase().replace(/[^a-z]+/g, '-'),
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(tag.name))
        .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    ),
  }))
  const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => a.localeCompare(b))
  return { baseUrl, sections, schemas }
})
