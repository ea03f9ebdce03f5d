import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { BATCH_STATUSES, type BatchStatus, PROJECT_STATUSES, type ProjectStatus } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { agencies, campaigns, mediaCategories, type RetentionRules, users } from './directory'

export const projects = pgTable(
  'projects',
  {
    id: id(),
    name: text().notNull(),
    status: text().$type<ProjectStatus>().notNull().default('active'),
    agencyId: uuid()
      .notNull()
      .references(() => agencies.id),
    campaignId: uuid(),
    mediaCategoryId: uuid().references(() => mediaCategories.id),
    /** Null: the service's. */
    retention: jsonb().$type<RetentionRules>(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    foreignKey({
      name: 'projects_campaign_of_agency',
      columns: [t.campaignId, t.agencyId],
      foreignColumns: [campaigns.id, campaigns.agencyId],
    }),
    index('projects_name_grams_index').using('gin', sql`name_grams(name)`),
    index('projects_agency_id_newest_index').on(t.agencyId, t.id),
    index('projects_status_newest_index').on(t.status, t.id),
    check('projects_status', isOneOf(t.status, PROJECT_STATUSES)),
  ],
)

export const projectMembers = pgTable(
  'project_members',
  {
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** When a user was added for himself; null while only what he does here makes him a member. */
    addedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.userId] }),
    index('project_members_user_id_index').on(t.userId, t.projectId),
  ],
)

export const batches = pgTable(
  'batches',
  {
    id: id(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id),
    name: text().notNull(),
    status: text().$type<BatchStatus>().notNull().default('open'),
    mediaCategoryId: uuid()
      .notNull()
      .references(() => mediaCategories.id),
    operatorId: uuid().references(() => users.id),
    coordinatorId: uuid().references(() => users.id),
    /** Null: the media category's. */
    namingTemplate: text(),
    /** Phrases that every image, video and page delivered has to show. */
    requiredCopy: text().array().notNull().default([]),
    /** When that last changed: a result of an earlier check says nothing about it. */
    requiredCopyChangedAt: timestamptz(),
    /** Ids of destinations; null: the media category's. */
    destinations: text().array(),
    round: integer().notNull().default(0),
    submittedAt: timestamptz(),
    reviewedAt: timestamptz(),
    /** The last day, UTC, on which it should be approved. */
    dueOn: date({ mode: 'string' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('batches_project_id_newest_index').on(t.projectId, t.id),
    // Of all projects. They include the project, and the first of them the status: see the migration.
    index('batches_id_index').on(t.id),
    index('batches_status_newest_index').on(t.status, t.id),
    index('batches_name_grams_index').using('gin', sql`name_grams(name)`),
    // How many a project has, and how many of a status, from the index alone.
    index('batches_project_id_status_index').on(t.projectId, t.status, t.id),
    // What is not finished in a project: who works on it, what is due next. Both include what is read: see the migration.
    index('batches_unfinished_index')
      .on(t.projectId, t.id)
      .where(sql`status in ('open', 'in_review', 'awaiting_resupply')`),
    index('batches_project_id_rounds_index').on(t.projectId),
    index('batches_project_id_operator_id_index').on(t.projectId, t.operatorId),
    index('batches_project_id_coordinator_id_index').on(t.projectId, t.coordinatorId),
    // The batches of a person by status, from the index alone: both include the project, see the migration.
    index('batches_operator_id_status_index').on(t.operatorId, t.status, t.id),
    index('batches_coordinator_id_status_index').on(t.coordinatorId, t.status, t.id),
    check('batches_status', isOneOf(t.status, BATCH_STATUSES)),
    check('batches_round', sql`${t.round} >= 0`),
  ],
)

const counter = () => integer().notNull().default(0)

/**
 * What the current files of a batch are, and their newest results: counted by triggers of `files` and `pre_qc_results`, in
 * the transaction that changes those. No row: no files. `npm run doctor` compares them with the rows.
 */
export const batchCounts = pgTable(
  'batch_counts',
  {
    batchId: uuid()
      .primaryKey()
      .references(() => batches.id, { onDelete: 'cascade' }),
    /** Of the batch; a trigger sets it. */
    projectId: uuid(),
    files: counter(),
    /** Bytes. */
    totalSize: bigint({ mode: 'number' }).notNull().default(0),
    approved: counter(),
    rejected: counter(),
    pending: counter(),
    queued: counter(),
    running: counter(),
    completed: counter(),
    failed: counter(),
    /** Of the completed ones, by what they say. */
    pass: counter(),
    warning: counter(),
    fail: counter(),
    notApplicable: counter(),
    /** Of all results. */
    couldNotRun: counter(),
    /** Of all versions, by who sent them. */
    storedByUsers: counter(),
    storedByLinks: counter(),
  },
  (t) => [index('batch_counts_project_id_index').on(t.projectId)],
)

/** What a batch is meant to receive: one row per expected name. */
export const manifestEntries = pgTable(
  'manifest_entries',
  {
    id: id(),
    batchId: uuid()
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    name: text().notNull(),
    /** The name case-folded and NFC: two names with one key are one name. */
    nameKey: text().notNull(),
    note: text(),
  },
  (t) => [uniqueIndex('manifest_entries_batch_id_name_key').on(t.batchId, t.nameKey)],
)
