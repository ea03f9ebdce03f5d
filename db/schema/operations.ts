import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { UPLOAD_STATES } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'

/** What keeps the service itself in order; no screen shows these. */

const counter = () => bigint({ mode: 'number' }).notNull().default(0)

/**
 * The sums of `batch_counts` over all batches, and how many uploads were refused, kept by triggers. Each sum is that of all
 * rows: a transaction adds to a row that no other one holds, so that none waits for another.
 */
export const serviceCounts = pgTable('service_counts', {
  slot: serial().primaryKey(),
  storedByUsers: counter(),
  storedByLinks: counter(),
  queued: counter(),
  running: counter(),
  failed: counter(),
  pass: counter(),
  warning: counter(),
  fail: counter(),
  notApplicable: counter(),
  rejectedUploads: counter(),
})

/** First responses to requests that carried an `Idempotency-Key`. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Who asked: a user, or an upload link. */
    owner: text().notNull(),
    route: text().notNull(),
    key: text().notNull(),
    /** Changes with each new claim, so that a request that lost its claim cannot write its response. */
    claim: uuid().notNull(),
    /** Null while the first request still runs. */
    status: integer(),
    fingerprint: text(),
    headers: jsonb().$type<Record<string, string>>(),
    body: text(),
    /** While running: until when the claim holds without a sign of life. */
    leaseUntil: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.owner, t.route, t.key] }),
    index('idempotency_keys_expires_at_index').on(t.expiresAt),
  ],
)

/** How `owner` of an upload through an upload link begins; the id of the link follows. */
export const LINK_OWNER = 'upload_link:'

/** Resumable uploads under way, and what was decided about finished ones for as long as a client may ask again. */
export const resumableUploads = pgTable(
  'resumable_uploads',
  {
    /** Also the id of its staged bytes. */
    id: uuid().primaryKey(),
    /** Whose it is, and where it goes; no other actor sees it. */
    owner: text().notNull(),
    /** Bytes the whole will have. */
    size: bigint({ mode: 'number' }).notNull(),
    /** Bytes that had arrived when last a request on it ended. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** `Upload-Metadata` as the client sent it: it holds the file's name, and HEAD gives it back. */
    metadata: text().notNull(),
    /** Final: written once. As text, because a message may quote what jsonb does not hold (U+0000). */
    verdict: json(),
    expiresAt: timestamptz().notNull(),
    /** The request that works on it, and until when that holds without a sign of life. */
    lockedBy: uuid(),
    lockedUntil: timestamptz(),
    /** Another request waits for it. */
    isWanted: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index('resumable_uploads_expires_at_index').on(t.expiresAt),
    index('resumable_uploads_owner_index').on(t.owner),
  ],
)

/** Uploads whose bytes go from the client to the storage itself, and the verdicts on them until they expire. */
export const directUploads = pgTable(
  'direct_uploads',
  {
    /** Also names what arrives in the storage. */
    id: id(),
    /** The storage's own name for it; null once nothing of it is there. */
    handle: text(),
    /** The operation that takes the file. */
    intake: text().notNull(),
    /** Whose it is, and where it goes; no other actor sees it. */
    owner: text().notNull(),
    name: text().notNull(),
    /** Bytes, as announced; a file of another size is refused. */
    size: bigint({ mode: 'number' }).notNull(),
    /** Bytes of every part but the last. */
    partSize: bigint({ mode: 'number' }).notNull(),
    state: text({ enum: UPLOAD_STATES }).notNull(),
    /** While it is checked: what the request that completed it was and showed, under the service's secret. */
    sealed: text(),
    /** Once settled: the response to the file, or the refusal. As text, because a message may quote what jsonb does not hold (U+0000). */
    verdict: json(),
    expiresAt: timestamptz().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('direct_uploads_expires_at_index').on(t.expiresAt),
    index('direct_uploads_owner_index').on(t.owner),
    check('direct_uploads_state', isOneOf(t.state, UPLOAD_STATES)),
  ],
)

/** GCRA: the theoretical arrival time of the next allowed request. */
export const rateLimits = pgTable(
  'rate_limits',
  { key: text().primaryKey(), arrivalAt: timestamptz().notNull() },
  (t) => [index('rate_limits_arrival_at_index').on(t.arrivalAt)],
)

/** A sign of life from everything that takes jobs, under the name by which the queue knows it; a worker process has several. */
export const workers = pgTable('workers', {
  id: text().primaryKey(),
  /** What its jobs are locked by: graphile-worker locks for a pool of workers, not for one. */
  pool: text().notNull().default(''),
  /** The machine and the process it runs in. */
  host: text().notNull().default(''),
  pid: integer().notNull().default(0),
  /** True: it takes what waits for other systems (mail, webhooks, removing); false: what decodes files. */
  isBackground: boolean().notNull().default(false),
  heartbeatAt: timestamptz().notNull(),
  startedAt: timestamptz().notNull(),
})

/** Sessions that users signed out of: their cookies are refused for as long as they could still be valid. */
export const endedSessions = pgTable(
  'ended_sessions',
  { id: uuid().primaryKey(), userId: uuid().notNull(), endedAt: timestamptz().notNull() },
  (t) => [index('ended_sessions_ended_at_index').on(t.endedAt)],
)

/** Which file of a store that names its files itself (UploadThing) is which object of ours. */
export const remoteObjects = pgTable('remote_objects', {
  key: text().primaryKey(),
  remoteKey: text().notNull().unique('remote_objects_remote_key_key'),
  /** Bytes. */
  size: bigint({ mode: 'number' }).notNull(),
  modifiedAt: timestamptz().notNull().default(sql`now()`),
})
