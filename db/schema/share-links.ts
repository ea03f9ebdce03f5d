import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { files } from './files'
import { batches } from './projects'

/** Lets one receiver without an account view approved files of a batch, and download them where that is allowed. */
export const shareLinks = pgTable(
  'share_links',
  {
    id: id(),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    /** Who receives the files. */
    name: text().notNull(),
    /** SHA-256 of the token: how a link is looked up. */
    tokenHash: text().notNull(),
    /** AES-256-GCM under the service's secret: how a link can be shown again. */
    tokenEncrypted: text().notNull(),
    passwordHash: text(),
    note: text(),
    expiresAt: timestamptz(),
    mayDownload: boolean().notNull(),
    deactivatedAt: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    /** Visits; those of one person within half an hour are one. */
    openCount: integer().notNull().default(0),
    /** Downloads that were begun, of a file or of all as a ZIP. */
    downloadCount: integer().notNull().default(0),
    lastOpenedAt: timestamptz(),
    lastDownloadedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('share_links_token_hash_key').on(t.tokenHash),
    index('share_links_batch_id_newest_index').on(t.batchId, t.id),
  ],
)

/** One version of a file as it was when it was shared. */
export const shareLinkFiles = pgTable(
  'share_link_files',
  {
    id: id(),
    linkId: uuid()
      .notNull()
      .references(() => shareLinks.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** Null: the file was deleted since. */
    fileId: uuid().references(() => files.id, { onDelete: 'set null' }),
    name: text().notNull(),
    version: integer().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
  },
  (t) => [
    // Includes which file, and its size: see the migration.
    uniqueIndex('share_link_files_link_id_place_key').on(t.linkId, t.position),
    index('share_link_files_file_id_index').on(t.fileId),
  ],
)
