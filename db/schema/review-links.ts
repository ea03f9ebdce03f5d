import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { REVIEW_PARTIES, type ReviewParty } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { files } from './files'
import { batches } from './projects'
import { reviewStages } from './review-stages'

/** Lets one person without an account see, comment on and decide files of a batch. */
export const reviewLinks = pgTable(
  'review_links',
  {
    id: id(),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    /** Whom it is for: what they say is said under this name. */
    name: text().notNull(),
    email: text(),
    party: text().$type<ReviewParty>().notNull(),
    /** SHA-256 of the token: how a link is looked up. */
    tokenHash: text().notNull(),
    /** AES-256-GCM under the service's secret: how a link can be shown again. */
    tokenEncrypted: text().notNull(),
    passwordHash: text(),
    note: text(),
    /** The stage its holder takes part in; null: none. */
    stageId: uuid().references(() => reviewStages.id),
    expiresAt: timestamptz(),
    hasWatermark: boolean().notNull().default(true),
    mayDownload: boolean().notNull().default(false),
    /** Exactly these versions; null: the current version of every file. */
    fileIds: uuid().array(),
    deactivatedAt: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    lastUsedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('review_links_token_hash_key').on(t.tokenHash),
    index('review_links_batch_id_newest_index').on(t.batchId, t.id),
    check('review_links_party', isOneOf(t.party, REVIEW_PARTIES)),
  ],
)

/** What the holder of a review link decided on a version of a file, about these very bytes. One for each file. */
export const guestDecisions = pgTable(
  'guest_decisions',
  {
    id: id(),
    linkId: uuid()
      .notNull()
      .references(() => reviewLinks.id, { onDelete: 'cascade' }),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    fileVersion: integer().notNull(),
    sha256: text().notNull(),
    decision: text().$type<'approved' | 'rejected'>().notNull(),
    comment: text(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('guest_decisions_link_id_file_id_key').on(t.linkId, t.fileId),
    index('guest_decisions_file_id_index').on(t.fileId),
    index('guest_decisions_batch_id_index').on(t.batchId),
    check('guest_decisions_decision', isOneOf(t.decision, ['approved', 'rejected'])),
  ],
)
