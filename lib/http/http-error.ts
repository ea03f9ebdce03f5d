import { DomainError, type ErrorCode, type Facts, Refusal } from '@/lib/domain/kernel/errors'

/** What only a transport refuses with: the domain never heard of the request, or its response is stored elsewhere. */
type HttpErrorCode =
  | 'invalid_json'
  | 'invalid_multipart'
  | 'csrf'
  | 'method_not_allowed'
  | 'unsupported_format'
  | 'idempotency_in_progress'
  | 'file_too_large'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'range_not_satisfiable'
  | 'protocol_unsupported'
  | 'upload_offset_conflict'
  | 'upload_gone'
  | 'upload_locked'
  | 'checksum_mismatch'
  | 'internal'

/** Every code a problem document may have. */
export type ProblemCode = ErrorCode | HttpErrorCode

/** A refusal by the transport itself, or one of the domain with headers its response needs. */
export class HttpError extends Refusal<ProblemCode, Facts & { headers?: Record<string, string> }> {}

export type AnyRefusal = DomainError | HttpError

export const isRefusal = (error: unknown): error is AnyRefusal =>
  error instanceof DomainError || error instanceof HttpError

/** The same refusal, sent with these headers as well. */
export function withHeaders(refusal: AnyRefusal, headers: Record<string, string>): HttpError {
  const before = refusal instanceof HttpError ? refusal.facts.headers : undefined
  return new HttpError(refusal.code, refusal.detail, { ...refusal.facts, headers: { ...before, ...headers } })
}
