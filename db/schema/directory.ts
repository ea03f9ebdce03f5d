import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  type PreQcDepth,
  type RetentionStatus,
  ROLES,
  type Role,
  TOKEN_SCOPES,
  type TokenScope,
} from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text().notNull(),
    name: text().notNull(),
    role: text().$type<Role>().notNull(),
    /** argon2id; null for people who only sign in through the identity provider. */
    passwordHash: text(),
    /** Raised whenever every session of this user must end. */
    sessionVersion: integer().notNull().default(1),
    disabledAt: timestamptz(),
    /** When name and address were erased; nothing of the row changes any more. */
    erasedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email})`), check('users_role', isOneOf(t.role, ROLES))],
)

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** SHA-256 of the token, hexadecimal. */
    tokenHash: text().notNull(),
    /** The first characters, so that a person can distinguish tokens. */
    prefix: text().notNull(),
    scope: text().$type<TokenScope>().notNull(),
    expiresAt: timestamptz(),
    lastUsedAt: timestamptz(),
    revokedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('api_tokens_token_hash_key').on(t.tokenHash),
    index('api_tokens_user_id_index').on(t.userId),
    check('api_tokens_scope', isOneOf(t.scope, TOKEN_SCOPES)),
  ],
)

/** A link by which a user chooses a new password, once. */
export const passwordResets = pgTable(
  'password_resets',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token, hexadecimal. */
    tokenHash: text().notNull(),
    expiresAt: timestamptz().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('password_resets_token_hash_key').on(t.tokenHash),
    index('password_resets_user_id_index').on(t.userId),
  ],
)

export const agencies = pgTable(
  'agencies',
  {
    id: id(),
    name: text().notNull(),
    /** As it stands in file names. */
    code: text().notNull(),
    /** Bytes that its files may take in all; null: no quota. */
    storageQuota: bigint({ mode: 'number' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    check('agencies_storage_quota', sql`${t.storageQuota} > 0`),
    uniqueIndex('agencies_name_key').on(sql`lower(${t.name})`),
    uniqueIndex('agencies_code_key').on(sql`lower(${t.code})`),
  ],
)

/**
 * What the files of an agency and the attachments of comments take, counted by the transactions that store and delete them: its row is the lock by which
 * uploads that come at the same time keep to the quota. No row: no files.
 */
export const agencyStorage = pgTable('agency_storage', {
  agencyId: uuid()
    .primaryKey()
    .references(() => agencies.id, { onDelete: 'cascade' }),
  bytes: bigint({ mode: 'number' }).notNull(),
})

export const campaigns = pgTable(
  'campaigns',
  {
    id: id(),
    agencyId: uuid()
      .notNull()
      .references(() => agencies.id),
    name: text().notNull(),
    code: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('campaigns_agency_id_code_key').on(t.agencyId, sql`lower(${t.code})`),
    // Lets a project's foreign key carry the agency, so that the two can never disagree.
    unique('campaigns_id_agency_id_key').on(t.id, t.agencyId),
    index('campaigns_agency_id_index').on(t.agencyId),
  ],
)

/** What a media category says of one check; what it does not say is the check's own default. */
export type CheckSettings = {
  enabled?: boolean
  severity?: 'warning' | 'fail'
  /** An announced rule: a violation warns until this day (UTC), and fails from it on, whatever the severity. */
  fails_from?: string
  thresholds?: Record<string, unknown>
}

/** Pre-QC settings of a media category, as the interface shows them. */
/** `depth` absent: full. */
export type PreQcSettings = {
  enabled: boolean
  depth?: PreQcDepth
  /** 0 to 1; absent: the engine's own. */
  confidence_floor?: number
  checks: Record<string, CheckSettings>
}

export const mediaCategories = pgTable(
  'media_categories',
  {
    id: id(),
    name: text().notNull(),
    namingTemplate: text(),
    /** Allowed media types; empty: everything whose integrity the service can evaluate. */
    mediaTypes: text().array().notNull().default(sql`'{}'::text[]`),
    maxFileSize: bigint({ mode: 'number' }),
    preQc: jsonb().$type<PreQcSettings>().notNull(),
    /** Ids of the destinations its files are evaluated against. */
    destinations: text().array().notNull().default(sql`'{}'::text[]`),
    /** Raised with each change of `pre_qc`; results say which one they were made with. */
    profileVersion: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('media_categories_name_key').on(sql`lower(${t.name})`)],
)

/** Every version of a category's Pre-QC settings: a result can always be read with the rules it was made by. */
export const preQcProfiles = pgTable(
  'pre_qc_profiles',
  {
    id: id(),
    mediaCategoryId: uuid()
      .notNull()
      .references(() => mediaCategories.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    settings: jsonb().$type<PreQcSettings>().notNull(),
    createdBy: uuid().references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('pre_qc_profiles_media_category_id_version_key').on(t.mediaCategoryId, t.version)],
)

/** Days after a status for which something is kept; null: for ever. */
export type DaysByStatus = Record<RetentionStatus, number | null>
/** `activity`: notifications, so many days after they were made. */
export type RetentionRules = { files: DaysByStatus; previews: DaysByStatus; activity: number | null }

/** One row: what holds for the whole service. */
export const serviceSettings = pgTable(
  'service_settings',
  {
    id: integer().primaryKey().default(1),
    preQcEnabled: boolean().notNull().default(true),
    /** A waiver of a blocking finding holds once a second person has confirmed it. */
    waiversNeedSecond: boolean().notNull().default(false),
    /** Null: everything is kept. */
    retention: jsonb().$type<RetentionRules>(),
    retentionUpdatedAt: timestamptz(),
    updatedAt: updatedAt(),
  },
  (t) => [check('service_settings_single_row', sql`${t.id} = 1`)],
)
