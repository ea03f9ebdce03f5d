import { sql } from 'drizzle-orm'
import { bigint, check, index, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { REPAIR_STATUSES, type RepairStatus } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { files } from './files'
import { preQcResults } from './pre-qc'
import { batches, projects } from './projects'

/** A repaired copy of a file: no version of it until a person takes it. */
export const repairs = pgTable(
  'repairs',
  {
    id: id(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    /** What was found, and is repaired. */
    resultId: uuid()
      .notNull()
      .references(() => preQcResults.id, { onDelete: 'cascade' }),
    /** The destination it is to fit; null: what its media category asks. */
    destinationId: text(),
    status: text().$type<RepairStatus>().notNull().default('queued'),
    steps: json().$type<Record<string, unknown>[]>().notNull(),
    /** Ids of the checks that found something, and pass in the copy. */
    fixes: json().$type<string[]>().notNull(),
    /** The name of the copy. */
    name: text().notNull(),
    /** Of the copy, once it is there. */
    size: bigint({ mode: 'number' }),
    sha256: text(),
    mediaType: text(),
    media: json().$type<Record<string, unknown>>(),
    objectKey: text(),
    /** What was changed, in one sentence. */
    sentence: text(),
    /** Its streams, entries or samples, and whether the original holds the very same. */
    parts: json().$type<{ name: string; sha256: string; is_untouched: boolean }[]>(),
    /** The checks of the copy. */
    checks: json().$type<Record<string, unknown>[]>(),
    summary: text(),
    failure: text(),
    requestedBy: uuid().references(() => users.id),
    decidedBy: uuid().references(() => users.id),
    decidedAt: timestamptz(),
    comment: text(),
    /** The version it became. */
    acceptedId: uuid().references(() => files.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // One at a time for each file.
    uniqueIndex('repairs_open_key').on(t.fileId).where(sql`status in ('queued', 'running', 'proposed')`),
    index('repairs_file_id_newest_index').on(t.fileId, t.id),
    index('repairs_result_id_index').on(t.resultId),
    index('repairs_accepted_id_index').on(t.acceptedId),
    check('repairs_status', isOneOf(t.status, REPAIR_STATUSES)),
  ],
)
