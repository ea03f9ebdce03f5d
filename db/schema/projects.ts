import { sql } from 'drizzle-orm'
import {
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { BATCH_STATUSES, type BatchStatus, PROJECT_STATUSES, type ProjectStatus } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { agencies, campaigns, mediaCategories, users } from './directory'

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
    index('projects_agency_id_index').on(t.agencyId, t.id.desc()),
    index('projects_status_index').on(t.status, t.id.desc()),
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
    round: integer().notNull().default(0),
    submittedAt: timestamptz(),
    reviewedAt: timestamptz(),
    /** The last day, UTC, on which it should be approved. */
    dueOn: date({ mode: 'string' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('batches_project_id_index').on(t.projectId, t.id.desc()),
    index('batches_operator_id_index').on(t.operatorId, t.status),
    index('batches_coordinator_id_index').on(t.coordinatorId, t.status),
    check('batches_status', isOneOf(t.status, BATCH_STATUSES)),
    check('batches_round', sql`${t.round} >= 0`),
  ],
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
