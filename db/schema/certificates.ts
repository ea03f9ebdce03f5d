import { index, integer, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, timestamptz } from './columns'
import { agencies, users } from './directory'
import { batches } from './projects'

/** What was approved, signed: the statement as it was signed, so that it can be shown again to the letter. */
export const certificates = pgTable(
  'certificates',
  {
    id: id(),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    round: integer().notNull(),
    statement: json().$type<Record<string, unknown>>().notNull(),
    /** Ed25519 over the statement, base64url. */
    signature: text().notNull(),
    keyId: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('certificates_batch_id_newest_index').on(t.batchId, t.id)],
)

/** What signs certificates. A key that was replaced stays: its public part shows that it was ours. */
export const signingKeys = pgTable('signing_keys', {
  /** SHA-256 over the public key, its first 16 bytes as hexadecimal. */
  id: text().primaryKey(),
  /** SPKI, DER, base64. */
  publicKey: text().notNull(),
  /** PKCS 8 (PEM), encrypted under AUTH_SECRET. */
  privateKeyEncrypted: text().notNull(),
  createdAt: createdAt(),
})

/** A link with which an agency sees its own metrics, without an account. */
export const scorecardLinks = pgTable(
  'scorecard_links',
  {
    id: id(),
    agencyId: uuid()
      .notNull()
      .references(() => agencies.id),
    tokenHash: text().notNull(),
    tokenEncrypted: text().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    expiresAt: timestamptz(),
    deactivatedAt: timestamptz(),
    lastUsedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('scorecard_links_token_hash_key').on(t.tokenHash),
    index('scorecard_links_agency_id_index').on(t.agencyId),
  ],
)
