import type { ViolationRule } from '@/lib/vocabulary'

/** Every meaning an operation may refuse with. What only a transport refuses has codes of its own, such as `lib/http/http-error`. */
export type ErrorCode =
  | 'invalid_query'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'invalid_state'
  | 'project_closed'
  | 'project_on_hold'
  | 'legal_hold'
  | 'removed'
  | 'preview_outdated'
  | 'operator_not_assigned'
  | 'approver_missing'
  | 'batch_empty'
  | 'member_needed'
  | 'integrity_unsettled'
  | 'link_expired'
  | 'link_used_up'
  | 'link_deactivated'
  | 'stale'
  | 'validation_failed'
  | 'file_rejected'
  | 'rate_limited'
  | 'unavailable'

/** One wrong field: where, what kind of wrong, and a sentence for the person who must fix it. */
export type FieldError = { path: string; code: string; message: string }

/** One reason why a file was refused. */
export type Violation = {
  rule: ViolationRule
  code: string
  message: string
  token?: string
  expected?: string
  suggestion?: string
  existing_file?: { id?: string; name: string; version: number; batch?: { id: string; name: string } }
}

export type Facts = {
  errors?: FieldError[]
  violations?: Violation[]
  /** With `invalid_state`: the state that is, and those in which the action is allowed. */
  current?: string
  allowed?: readonly string[]
  /** With `stale`: who last changed it. */
  changedBy?: { name: string; is_you: boolean } | undefined
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
  /** With `rate_limited`: the limit that was reached, and its name. */
  limit?: { name: string; burst: number; perSeconds: number }
}

/** Something was asked that is not done, and nothing was changed. `detail`: what was wrong, what was expected, how to go on. */
export abstract class Refusal<Code extends string = string, More extends Facts = Facts> extends Error {
  constructor(
    readonly code: Code,
    readonly detail: string,
    readonly facts: More = {} as More,
  ) {
    super(detail)
    this.name = new.target.name
  }
}

/** The one error of the domain. */
export class DomainError extends Refusal<ErrorCode> {}

export const notFound = (what: string, value?: string) =>
  new DomainError(
    'not_found',
    value === undefined ? `There is no such ${what}.` : `There is no ${what} ${quote(value)}.`,
  )

export const forbidden = (detail: string) => new DomainError('forbidden', detail)

export const invalid = (errors: FieldError[]) =>
  new DomainError(
    'validation_failed',
    errors.length === 1
      ? (errors[0]?.message ?? '')
      : `${errors.length} fields need fixing: ${errors.map((e) => e.path || 'body').join(', ')}.`,
    {
      errors,
    },
  )

export const invalidField = (path: string, code: string, message: string) => invalid([{ path, code, message }])

export const invalidState = (detail: string, current: string, allowed: readonly string[]) =>
  new DomainError('invalid_state', detail, { current, allowed })

/** The sentence with which something is refused; null where it is not. */
export function whyNot(attempt: () => void): string | null {
  try {
    attempt()
    return null
  } catch (error) {
    if (error instanceof DomainError) return error.detail
    throw error
  }
}

/** A value as it is shown inside a sentence: in quotes, never long, control and direction characters made visible. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const short = text.length > 80 ? `${text.slice(0, 77)}…` : text
  return `“${short.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�')}”`
}
