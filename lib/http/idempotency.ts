import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Database, Executor } from '@/db/client'
import { idempotencyKeys } from '@/db/schema/operations'
import { DomainError } from '@/lib/domain/kernel/errors'
import type { Beside } from '@/lib/domain/kernel/events'
import type { Secrets } from '@/lib/domain/kernel/ports'
import { HttpError } from './http-error'
import type { TextResponse } from './response'

const LEASE_SECONDS = 15
const STORED_HOURS = 24

/** The `Idempotency-Key` of a request, 1 to 255 characters; null when there is none. */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key')
  if (key === null) return null
  if (key.length < 1 || key.length > 255) {
    const message = `An Idempotency-Key has 1 to 255 characters; this one has ${key.length}.`
    throw new DomainError('validation_failed', message, {
      errors: [{ path: 'Idempotency-Key', code: 'invalid_header', message }],
    })
  }
  return key
}

export const fingerprintOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

/** Names a path in the table of keys. It may hold a token, so it is stored as a hash. */
export const routeOf = (operation: string, params: Record<string, string>) =>
  `${operation}:${fingerprintOf(JSON.stringify(params))}`

/**
 * The claim of one request on its key. The first request claims, runs, and leaves its response in the very transaction
 * that changes the data; so after a crash at any moment a repetition either finds the response or may run.
 * A response may hold what is shown only once (a token, a link's address), so it is stored sealed.
 * While it runs, a lease is renewed; a claim whose process died can be taken over when the lease has passed.
 */
export class Claim {
  private readonly claim = v7()
  private renewal: NodeJS.Timeout | undefined

  constructor(
    private readonly db: Database,
    private readonly secrets: Secrets,
    private readonly owner: string,
    private readonly route: string,
    private readonly key: string,
  ) {}

  private where = () =>
    and(eq(idempotencyKeys.owner, this.owner), eq(idempotencyKeys.route, this.route), eq(idempotencyKeys.key, this.key))

  private mine = () => and(this.where(), eq(idempotencyKeys.claim, this.claim))

  /**
   * Claims the key, or returns the stored response with its fingerprint.
   * @throws `idempotency_in_progress` while the first request runs
   */
  async take(): Promise<{ response: TextResponse; fingerprint: string } | null> {
    const claimed = await this.db.execute(sql`
      insert into idempotency_keys as k (owner, route, key, claim, lease_until, expires_at)
      values (${this.owner}, ${this.route}, ${this.key}, ${this.claim}, now() + make_interval(secs => ${LEASE_SECONDS}), now() + make_interval(hours => ${STORED_HOURS}))
      on conflict (owner, route, key) do update
        set claim = excluded.claim, status = null, fingerprint = null, headers = null, body = null, lease_until = excluded.lease_until, expires_at = excluded.expires_at
        where k.expires_at < now() or (k.status is null and k.lease_until < now())
      returning claim`)
    if (claimed.length > 0) {
      this.renewal = setInterval(() => void this.renew(), (LEASE_SECONDS * 1000) / 3).unref()
      return null
    }
    const [stored] = await this.db.select().from(idempotencyKeys).where(this.where())
    if (stored?.status == null || stored.body === null) {
      throw new HttpError(
        'idempotency_in_progress',
        'The first request with this Idempotency-Key still runs. Wait for its response, or ask again shortly.',
        {
          retryAfter: 1,
        },
      )
    }
    return {
      response: { status: stored.status, ...this.unseal(stored.headers, stored.body) },
      fingerprint: stored.fingerprint ?? '',
    }
  }

  private async renew() {
    const lease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`
    // A renewal that fails is tried again at the next turn; the lease is three turns long.
    await this.db
      .update(idempotencyKeys)
      .set({ leaseUntil: lease })
      .where(this.mine())
      .catch(() => {})
  }

  /** Keeps the response. In the command's transaction it stands or falls with the change itself. */
  async store(executor: Executor, fingerprint: string, response: TextResponse) {
    const stored = await this.storing(executor, fingerprint, response)
    if (stored.length === 0) throw takenOver()
  }

  /** The same, for the statement that writes the event of the change. */
  storeBeside(executor: Executor, fingerprint: string, response: TextResponse): Beside {
    const part = executor.$with('response').as(this.storing(executor, fingerprint, response))
    return { part, orElse: takenOver }
  }

  private storing = (executor: Executor, fingerprint: string, response: TextResponse) =>
    executor
      .update(idempotencyKeys)
      .set({ status: response.status, body: this.seal(response), fingerprint })
      .where(this.mine())
      .returning({ claim: idempotencyKeys.claim })

  /** Headers as well as the body: a Location may hold a link's token. */
  private seal({ headers, body }: TextResponse): string {
    return this.secrets.encrypt(JSON.stringify({ headers, body }))
  }

  private unseal(headers: Record<string, string> | null, sealed: string): Pick<TextResponse, 'headers' | 'body'> {
    const text = this.secrets.decrypt(sealed)
    // Stored before headers were sealed, too.
    return headers ? { headers, body: text } : JSON.parse(text)
  }

  /** Gives the key back, so that a fixed request may use it. */
  async release() {
    await this.db.delete(idempotencyKeys).where(and(this.mine(), sql`status is null`))
  }

  stopRenewing() {
    clearInterval(this.renewal)
  }
}

const takenOver = () =>
  new HttpError(
    'idempotency_in_progress',
    'Another request with this Idempotency-Key took over. Ask again for its response.',
    { retryAfter: 1 },
  )

/** @throws `idempotency_key_reused` when the stored response belongs to another body */
export function assertSameRequest(stored: string, fingerprint: string) {
  if (stored === fingerprint) return
  throw new HttpError(
    'idempotency_key_reused',
    'This Idempotency-Key was sent before with another body. Use a new key for a new request, or repeat the first one unchanged.',
  )
}

export const replay = (response: TextResponse): TextResponse => ({
  ...response,
  headers: { ...response.headers, 'Idempotency-Replayed': 'true' },
})
