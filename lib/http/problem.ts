import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { databaseMessage, isUnavailable } from '@/lib/domain/kernel/database-errors'
import { DomainError, type FieldError, type Violation } from '@/lib/domain/kernel/errors'
import { type AnyRefusal, HttpError, isRefusal, type ProblemCode } from './http-error'
import type { TextResponse } from './response'

/** Code -> HTTP status and title (RFC 9457). The only place where the two meet. */
export const PROBLEMS: Record<ProblemCode, { status: number; title: string }> = {
  invalid_json: { status: 400, title: 'The body is not JSON' },
  invalid_multipart: { status: 400, title: 'The upload is not a well-formed multipart body' },
  invalid_query: { status: 400, title: 'A query parameter is wrong' },
  unauthenticated: { status: 401, title: 'You are not signed in' },
  forbidden: { status: 403, title: 'You may not do this' },
  csrf: { status: 403, title: 'The request came from another site' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This method is not allowed here' },
  unsupported_format: { status: 406, title: 'This format is not offered' },
  invalid_state: { status: 409, title: 'Not possible in this state' },
  project_closed: { status: 409, title: 'The project is closed' },
  project_on_hold: { status: 409, title: 'The project is on hold' },
  legal_hold: { status: 409, title: 'The project is under legal hold' },
  preview_outdated: { status: 409, title: 'The preview is outdated' },
  removed: { status: 410, title: 'Removed by a retention rule' },
  operator_not_assigned: { status: 409, title: 'No operator is assigned' },
  approver_missing: { status: 409, title: 'No user can take a step of the approval' },
  batch_empty: { status: 409, title: 'The batch has no files' },
  member_needed: { status: 409, title: 'The project needs this member' },
  integrity_unsettled: { status: 409, title: 'The file is not known to be intact' },
  idempotency_in_progress: { status: 409, title: 'The first request still runs' },
  link_expired: { status: 410, title: 'The link has expired' },
  link_used_up: { status: 410, title: 'The link has been used up' },
  link_deactivated: { status: 410, title: 'The link has been deactivated' },
  upload_offset_conflict: { status: 409, title: 'The upload continues elsewhere' },
  upload_gone: { status: 410, title: 'The upload is over' },
  protocol_unsupported: { status: 412, title: 'This version of the protocol is not spoken here' },
  stale: { status: 412, title: 'Changed in the meantime' },
  file_too_large: { status: 413, title: 'The file is too large' },
  body_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'This content type is not accepted' },
  range_not_satisfiable: { status: 416, title: 'The range lies outside the file' },
  validation_failed: { status: 422, title: 'A field is wrong' },
  file_rejected: { status: 422, title: 'The file was refused' },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key was used for something else' },
  upload_locked: { status: 423, title: 'Another request holds the upload' },
  rate_limited: { status: 429, title: 'Too many requests' },
  checksum_mismatch: { status: 460, title: 'The bytes do not match their checksum' },
  internal: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'Not available at the moment' },
}

export type Problem = {
  type: string
  title: string
  status: number
  code: ProblemCode
  detail: string
  request_id: string
  errors?: FieldError[]
  violations?: Violation[]
  current?: string
  allowed?: readonly string[]
  changed_by?: { name: string; is_you: boolean }
}

/** What a thrown value means to a client. Anything unforeseen is `internal`, and says nothing of its inside. */
export function asRefusal(error: unknown): AnyRefusal {
  if (isRefusal(error)) return error
  if (isUnavailable(error)) {
    return new DomainError(
      'unavailable',
      'The service cannot use its database at the moment. Nothing was changed; try again shortly.',
      {
        retryAfter: 5,
      },
    )
  }
  return new HttpError(
    'internal',
    'Something went wrong on our side, and it has been noted under the request id. Trying again may help.',
  )
}

/** Why store or database cannot do their work, for the log: clients do not hear it. Null for any other error. */
export function outageOf(error: unknown): string | null {
  if (error instanceof StorageUnavailable) return error.explanation
  return isUnavailable(error) ? databaseMessage(error) : null
}

export function problemOf(error: AnyRefusal, requestId: string, baseUrl: string): Problem {
  const { status, title } = PROBLEMS[error.code]
  const { errors, violations, current, allowed, changedBy } = error.facts
  return {
    type: `${baseUrl}/docs/errors#${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.detail,
    request_id: requestId,
    ...(errors && { errors }),
    ...(violations && { violations }),
    ...(current !== undefined && { current }),
    ...(allowed && { allowed }),
    ...(changedBy && { changed_by: changedBy }),
  }
}

export function problemResponse(error: AnyRefusal, requestId: string, baseUrl: string): TextResponse {
  const problem = problemOf(error, requestId, baseUrl)
  const { retryAfter, limit } = error.facts
  return {
    status: problem.status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(error instanceof HttpError && error.facts.headers),
      ...(limit && {
        'RateLimit-Policy': `"${limit.name}";q=${limit.burst};w=${limit.perSeconds}`,
        RateLimit: `"${limit.name}";r=0;t=${retryAfter}`,
      }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...(problem.status === 401 && { 'WWW-Authenticate': 'Bearer realm="Greenroom"' }),
    },
    body: JSON.stringify(problem),
  }
}
