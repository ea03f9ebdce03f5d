import { createHash } from 'node:crypto'

/** Strong validator of a representation, as RFC 9110 section 8.8.3 writes it. */
export const entityTag = (representation: unknown) =>
  `"${createHash('sha256').update(JSON.stringify(representation)).digest('base64url').slice(0, 27)}"`

/** Whether what a client kept of a representation is still that (RFC 9110, 13.1.2). */
export const isKept = (request: Request, etag: string) => request.headers.get('if-none-match')?.includes(etag) === true

/** What a request demands of the resource it changes, in `If-Match`; null: nothing. */
export function preconditionOf(request: Request) {
  const header = request.headers.get('if-match')
  return header === null ? null : ifMatch(header)
}

/** What an `If-Match` demands (RFC 9110 section 13.1.1): strong comparison, `*` matches whatever exists. */
export const ifMatch = (header: string) => (representation: unknown) => {
  const wanted = header.split(',').map((tag) => tag.trim())
  return wanted.includes('*') || wanted.includes(entityTag(representation))
}
