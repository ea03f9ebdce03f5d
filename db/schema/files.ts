import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  INTEGRITY_STATES,
  type IntegrityState,
  MEDIA_KINDS,
  type MediaKind,
  REVIEW_DECISIONS,
  type RejectionReason,
  type RetentionStatus,
  type ReviewDecision,
  type SourceType,
} from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { batches, projects } from './projects'
import { uploadLinks } from './upload-links'

/** `pages`: of a document, the number of its first pages that were drawn. */
export type Previews = { thumbnail: boolean; preview: boolean; pages?: number }

/**
 * A key of names by which `2.png` stands before `10.png`: each number is written with fifteen digits.
 * @param column the name of a column that holds case-folded names
 */
export const nameOrderOf = (column: string) =>
  sql.raw(
    String.raw`regexp_replace(regexp_replace(${column}, '\d+', '00000000000000\&', 'g'), '\d*(\d{15})', '\1', 'g')`,
  )

/** The rule by which something was removed: so many days after the status, by the rules of the service or of the project. */
export type RemovalRule = { rule: RetentionStatus; days: number; of: 'service' | 'project' }
export type Removal = { file?: RemovalRule; previews?: RemovalRule }

export const files = pgTable(
  'files',
  {
    id: id(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    name: text().notNull(),
    /** The name case-folded and NFC, for comparing. */
    nameKey: text().notNull(),
    /** The name key of its first version, where that was another: versions of one file are counted together. */
    seriesKey: text(),
    version: integer().notNull().default(1),
    size: bigint({ mode: 'number' }).notNull(),
    /** By content, never the client's word. */
    mediaType: text().notNull(),
    kind: text().$type<MediaKind>().notNull(),
    sha256: text().notNull(),
    /** Measured facts: dimensions, duration, streams, pages. */
    media: json().$type<Record<string, unknown>>().notNull(),
    objectKey: text().notNull(),
    integrity: text().$type<IntegrityState>().notNull().default('sound'),
    /** Null: not made yet. Otherwise which images there are. */
    previews: jsonb().$type<Previews>(),
    /** 64-bit difference hash, for near duplicates; signed, as PostgreSQL keeps it. */
    perceptualHash: bigint({ mode: 'bigint' }),
    decision: text().$type<ReviewDecision>().notNull().default('pending'),
    decisionComment: text(),
    /** Why it was rejected, as one of the coded reasons. */
    decisionReason: text().$type<RejectionReason>(),
    decidedBy: uuid().references(() => users.id),
    decidedAt: timestamptz(),
    supersedesId: uuid().references((): AnyPgColumn => files.id),
    isCurrent: boolean().notNull().default(true),
    /** Since when its bytes are no longer kept. The row stays, and the object goes a moment later. */
    removedAt: timestamptz(),
    /** The same of its previews and evidence. */
    previewsRemovedAt: timestamptz(),
    removal: jsonb().$type<Removal>(),
    sourceType: text().$type<SourceType>().notNull(),
    sourceUserId: uuid().references(() => users.id),
    sourceLinkId: uuid().references(() => uploadLinks.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // look-alikes of a project: see look_alike_keys of the migrations.
    index('files_look_alikes_index')
      .using('gin', sql`look_alike_keys(project_id, perceptual_hash)`)
      .with({ fastupdate: false })
      .where(sql`perceptual_hash is not null and is_current`),
    // search: see name_grams of the migrations.
    index('files_name_grams_index').using('gin', sql`name_grams(name)`).where(sql`is_current`),
    // search: words of two characters, see name_pairs of the migrations.
    index('files_name_pairs_index').using('gin', sql`name_pairs(name)`).where(sql`is_current`),
    // search: names that are, or begin with, what was typed.
    index('files_name_key_index').on(t.nameKey.op('text_pattern_ops'), t.id).where(sql`is_current`),
    // Duplicates are finally refused here: two uploads of one content at once leave one row.
    // An earlier version may hold the same: where only its name was wrong, the bytes come again under the right one.
    uniqueIndex('files_project_id_sha256_key').on(t.projectId, t.sha256).where(sql`is_current`),
    // Which files hold a content, in one project (replaced versions as well) and in all.
    index('files_sha256_project_id_index').on(t.sha256, t.projectId),
    // Which files hold the content a playback copy was made of.
    index('files_played_sha256_index').on(t.sha256).where(sql`kind in ('video', 'audio')`),
    uniqueIndex('files_current_name_key').on(t.batchId, t.nameKey).where(sql`is_current`),
    uniqueIndex('files_batch_id_name_version_key').on(t.batchId, t.nameKey, t.version),
    // Versions that were replaced: lines of a manifest go by their names, too.
    index('files_batch_id_replaced_index').on(t.batchId, t.nameKey).where(sql`not is_current`),
    // Of these, what a share link goes on offering.
    index('files_batch_id_replaced_offered_index')
      .on(t.batchId, t.id)
      .where(sql`not is_current and decision = 'approved' and integrity = 'sound' and removed_at is null`),
    // What a batch waits for: new files are validated by it.
    index('files_batch_id_rejected_index').on(t.batchId).where(sql`is_current and decision = 'rejected'`),
    uniqueIndex('files_object_key_key').on(t.objectKey),
    index('files_series_index').on(t.batchId, sql`coalesce(series_key, name_key)`),
    // Any part of the list of a batch, from the index alone: it includes the name key, see the migration.
    index('files_batch_id_name_order_index').on(t.batchId, nameOrderOf('name_key'), t.id).where(sql`is_current`),
    // Includes the name key as well, and what files are counted by and filtered by: see the migration.
    index('files_batch_id_states_index').on(t.batchId, t.id).where(sql`is_current`),
    index('files_batch_id_newest_index').on(t.batchId, t.id),
    index('files_project_id_newest_index').on(t.projectId, t.id),
    index('files_supersedes_id_index').on(t.supersedesId),
    check('files_size', sql`${t.size} > 0`),
    check('files_decision', isOneOf(t.decision, REVIEW_DECISIONS)),
    check('files_integrity', isOneOf(t.integrity, INTEGRITY_STATES)),
    check('files_kind', isOneOf(t.kind, MEDIA_KINDS)),
    check(
      'files_source',
      sql`(${t.sourceType} = 'user' and ${t.sourceUserId} is not null) or (${t.sourceType} = 'upload_link' and ${t.sourceLinkId} is not null)`,
    ),
  ],
)

/**
 * The key frames of a video, by their hashes: what look-alikes of videos are found by, see `findSimilarVideos`. The keys are
 * the four words of the hash, each mixed with its project: an index of each leads to few videos, and to that project's.
 */
export const videoFrames = pgTable(
  'video_frames',
  {
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    atMs: integer().notNull(),
    part: text().$type<'whole' | 'middle'>().notNull(),
    /** Signed, as PostgreSQL keeps it. */
    hash: bigint({ mode: 'bigint' }).notNull(),
    key1: integer().notNull(),
    key2: integer().notNull(),
    key3: integer().notNull(),
    key4: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.fileId, t.atMs, t.part] }),
    index('video_frames_key1_index').on(t.key1),
    index('video_frames_key2_index').on(t.key2),
    index('video_frames_key3_index').on(t.key3),
    index('video_frames_key4_index').on(t.key4),
    check('video_frames_part', sql`${t.part} in ('whole', 'middle')`),
  ],
)
