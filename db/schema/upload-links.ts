import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { batches } from './projects'

export const uploadLinks = pgTable(
  'upload_links',
  {
    id: id(),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    label: text().notNull().default(''),
    /** SHA-256 of the token: how a link is looked up. */
    tokenHash: text().notNull(),
    /** AES-256-GCM under the service's secret: how a link can be shown again. */
    tokenEncrypted: text().notNull(),
    expiresAt: timestamptz(),
    maxUses: integer(),
    useCount: integer().notNull().default(0),
    /** Bytes that the files sent through it may take in all; null: any. */
    maxBytes: bigint({ mode: 'number' }),
    deactivatedAt: timestamptz(),
    passwordHash: text(),
    note: text(),
    notify: boolean().notNull().default(true),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    lastUsedAt: timestamptz(),
    /** When a person last had its page before them; noted once an hour at most. */
    openedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('upload_links_token_hash_key').on(t.tokenHash),
    index('upload_links_batch_id_newest_index').on(t.batchId, t.id),
    check('upload_links_uses', sql`${t.useCount} >= 0 and (${t.maxUses} is null or ${t.useCount} <= ${t.maxUses})`),
    check('upload_links_max_bytes', sql`${t.maxBytes} > 0`),
    check('upload_links_max_uses', sql`${t.maxUses} is null or ${t.maxUses} between 1 and 10000`),
  ],
)

/** One use of a link: an upload session with at least one accepted file. */
export const uploadSessions = pgTable(
  'upload_sessions',
  {
    id: id(),
    linkId: uuid()
      .notNull()
      .references(() => uploadLinks.id, { onDelete: 'cascade' }),
    /** What the client sends to name its session. */
    key: uuid().notNull(),
    fileCount: integer().notNull().default(0),
    lastFileAt: timestamptz(),
    closedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('upload_sessions_link_id_key').on(t.linkId, t.key)],
)
