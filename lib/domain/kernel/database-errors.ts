import { type FieldError, invalid } from './errors'

/** What PostgreSQL says, read from whatever wraps it. Codes: PostgreSQL documentation, appendix A. */

type PostgresError = { code?: string; constraint_name?: string; message: string }

function postgresError(error: unknown): PostgresError | null {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string') return e as PostgresError
  }
  return null
}

/** Whether the error is the refusal of this unique index or constraint. */
export function violates(error: unknown, constraint: string): boolean {
  const found = postgresError(error)
  return (found?.code === '23505' || found?.code === '23503') && found.constraint_name === constraint
}

/**
 * Runs a write; the refusal of one of these unique indexes becomes the wrong field it stands for.
 * @throws `validation_failed`
 */
export async function refuseTaken<T>(write: PromiseLike<T>, fields: Record<string, FieldError>): Promise<T> {
  try {
    return await write
  } catch (error) {
    const field = Object.entries(fields).find(([constraint]) => violates(error, constraint))?.[1]
    throw field ? invalid([field]) : error
  }
}

/** Serialization failure or deadlock: the transaction was rolled back and may simply be run again. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(postgresError(error)?.code ?? '')

/** The database is not there, is going down, has no room left, or does not respond in time. */
export function isUnavailable(error: unknown): boolean {
  const code = postgresError(error)?.code ?? ''
  return (
    /^(08|57P|53)/.test(code) ||
    [
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ENOTFOUND',
      'ETIMEDOUT',
      'CONNECT_TIMEOUT',
      'CONNECTION_CLOSED',
      'CONNECTION_ENDED',
      'CONNECTION_DESTROYED',
      // A lock that did not come in time, and a statement that took too long (db/client.ts).
      '55P03',
      '57014',
    ].includes(code)
  )
}

/** What the database, or the connection to it, said of an error; null where it said nothing. */
export const databaseMessage = (error: unknown): string | null => postgresError(error)?.message ?? null
