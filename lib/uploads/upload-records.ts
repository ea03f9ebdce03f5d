import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database, Executor } from '@/db/client'
import { resumableUploads } from '@/db/schema/operations'
import { isStagedId } from '@/lib/domain/kernel/blob-store'
import type { FieldError, Violation } from '@/lib/domain/kernel/errors'
import type { ProblemCode } from '@/lib/http/http-error'

/** What was decided about an upload once all its bytes were there. */
export type UploadOutcome =
  | { accepted: true; status: number; body: unknown }
  | { accepted: false; code: ProblemCode; detail: string; violations?: Violation[]; errors?: FieldError[] }

type Row = typeof resumableUploads.$inferSelect
/** A resumable upload as it is remembered between its requests, under the id of its staged bytes. */
export type UploadRecord = Pick<Row, 'id' | 'owner' | 'size' | 'received' | 'metadata' | 'expiresAt'> & {
  verdict: UploadOutcome | null
}

/** One request's lock on an upload. */
export type UploadLock = {
  record: UploadRecord
  /** Aborted when another request waits for the upload, or has it already: stop receiving bytes. */
  wanted: AbortSignal
  /** Lets go, and writes down how many bytes have arrived and when the upload expires. */
  release(): Promise<void>
}

type Lease = { id: string; key: string; stop: AbortController; renewedAt: number }

/** Without a sign of life for so long, the request that has an upload locked counts as dead. */
const LEASE_MS = 8_000
/** So often a lease is renewed, and learns that another request waits. */
const BEAT_MS = 1_000
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250

const { id, owner, lockedBy, lockedUntil, verdict } = resumableUploads

/**
 * Unfinished uploads and the verdicts on finished ones, in the database, where every web process of every machine finds
 * them. One request at a time has an upload locked, by a lease that is renewed while the request runs: no transaction and no
 * connection is kept meanwhile, and what a killed process had locked is free when the lease has passed. The lease saves work;
 * that there is one verdict for ever is up to `decide`, which never replaces one.
 */
export class UploadRecords {
  private readonly leases = new Map<string, Lease>()
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly db: Database,
    private readonly leaseMs = LEASE_MS,
    private readonly beatMs = BEAT_MS,
  ) {}

  async create(record: Omit<UploadRecord, 'received' | 'verdict'>): Promise<UploadRecord> {
    await this.db.insert(resumableUploads).values(record)
    return { ...record, received: 0, verdict: null }
  }

  /**
   * Locks the upload for one request, waiting up to `waitMs` while the one that has it is asked to let go.
   * @returns null when it stayed locked; undefined when this owner has no such upload
   */
  async lock(uploadId: string, ofOwner: string, waitMs: number): Promise<UploadLock | null | undefined> {
    if (!isStagedId(uploadId)) return undefined
    const theirs = and(eq(id, uploadId), eq(owner, ofOwner))
    const isFree = or(isNull(lockedUntil), lt(lockedUntil, sql`now()`))
    const key = randomUUID()
    const deadline = performance.now() + waitMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const [record] = await this.db
        .update(resumableUploads)
        .set({ lockedBy: key, lockedUntil: this.leaseEnd(), isWanted: false })
        .where(and(theirs, isFree))
        .returning()
      if (record) return this.lockOf({ ...record, verdict: record.verdict as UploadOutcome | null }, key)
      const asked = await this.db.update(resumableUploads).set({ isWanted: true }).where(theirs).returning({ id })
      if (asked.length === 0) return undefined
      for (const lease of this.leases.values()) if (lease.id === uploadId) lease.stop.abort()
      const left = deadline - performance.now()
      if (left <= 0) return null
      await wait(Math.min(pause, left))
    }
  }

  /** Writes the verdict, unless there is one already; says whether it did. */
  async decide(executor: Executor, uploadId: string, decided: UploadOutcome, expiresAt: Date): Promise<boolean> {
    const written = await executor
      .update(resumableUploads)
      // Nothing is left to lock: who comes next reads the verdict.
      .set({ verdict: decided, received: sql`${resumableUploads.size}`, expiresAt, lockedBy: null, lockedUntil: null })
      .where(and(eq(id, uploadId), isNull(verdict)))
      .returning({ id })
    return written.length > 0
  }

  /** A refusal, which no transaction of a file can carry. Returns what stands: this one, or the verdict there was. */
  async refuse(uploadId: string, refusal: UploadOutcome, expiresAt: Date): Promise<UploadOutcome | null> {
    return (await this.decide(this.db, uploadId, refusal, expiresAt)) ? refusal : this.outcomeOf(uploadId)
  }

  async outcomeOf(uploadId: string): Promise<UploadOutcome | null> {
    const [row] = await this.db.select({ verdict }).from(resumableUploads).where(eq(id, uploadId))
    return (row?.verdict as UploadOutcome | null | undefined) ?? null
  }

  async delete(uploadId: string): Promise<void> {
    await this.db.delete(resumableUploads).where(eq(id, uploadId))
  }

  private lockOf(record: UploadRecord, key: string): UploadLock {
    const lease: Lease = { id: record.id, key, stop: new AbortController(), renewedAt: performance.now() }
    this.leases.set(key, lease)
    this.timer ??= setInterval(() => void this.renew(), this.beatMs).unref()
    const wasOpen = record.verdict === null
    // The request that decided meanwhile has released the lock, too.
    const release = () => this.release(record, key, wasOpen && record.verdict !== null)
    return { record, wanted: lease.stop.signal, release }
  }

  private async release(
    { id: uploadId, received, expiresAt }: UploadRecord,
    key: string,
    isFree: boolean,
  ): Promise<void> {
    this.leases.delete(key)
    if (this.leases.size === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
    if (isFree) return
    await this.db
      .update(resumableUploads)
      .set({ lockedBy: null, lockedUntil: null, received, expiresAt })
      .where(and(eq(id, uploadId), eq(lockedBy, key)))
  }

  private async renew(): Promise<void> {
    const leases = [...this.leases.values()]
    const startedAt = performance.now()
    try {
      const renewed = await this.db
        .update(resumableUploads)
        .set({ lockedUntil: this.leaseEnd() })
        .where(
          and(
            inArray(
              id,
              leases.map((lease) => lease.id),
            ),
            inArray(
              lockedBy,
              leases.map((lease) => lease.key),
            ),
          ),
        )
        .returning({ key: lockedBy, isWanted: resumableUploads.isWanted })
      for (const lease of leases) {
        const row = renewed.find(({ key }) => key === lease.key)
        if (!row || row.isWanted) lease.stop.abort()
        else lease.renewedAt = startedAt
      }
    } catch {
      // The next beat tries again; a lease that could not be renewed for too long is lost.
      for (const lease of leases) if (performance.now() - lease.renewedAt > this.leaseMs) lease.stop.abort()
    }
  }

  private leaseEnd = () => sql`now() + make_interval(secs => ${this.leaseMs / 1000})`
}
