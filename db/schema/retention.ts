import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { RETENTION_RUN_STATUSES, type RetentionRunStatus } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz } from './columns'
import { agencies, users } from './directory'
import type { Removal } from './files'
import { projects } from './projects'

/** While one that was not lifted is on a project, or on its agency, nothing of the project is deleted. */
export const legalHolds = pgTable(
  'legal_holds',
  {
    id: id(),
    projectId: uuid().references(() => projects.id),
    agencyId: uuid().references(() => agencies.id),
    reason: text().notNull(),
    setBy: uuid()
      .notNull()
      .references(() => users.id),
    liftedAt: timestamptz(),
    liftedBy: uuid().references(() => users.id),
    liftReason: text(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('legal_holds_project_id_key').on(t.projectId).where(sql`lifted_at is null`),
    uniqueIndex('legal_holds_agency_id_key').on(t.agencyId).where(sql`lifted_at is null`),
    check('legal_holds_one_subject', sql`num_nonnulls(${t.projectId}, ${t.agencyId}) = 1`),
  ],
)

/** What goes, or went: bytes are those of the files, previews and activity are counted. */
export type RetentionCounts = { files: number; bytes: number; previews: number; activity: number }
export type ProjectCounts = RetentionCounts & { id: string; name: string; batches: number }

/** A preview of what the rules remove, and the run that removes exactly that. */
export const retentionRuns = pgTable(
  'retention_runs',
  {
    id: id(),
    status: text().$type<RetentionRunStatus>().notNull().default('preview'),
    /** The rules are applied as of this moment, however long it takes. */
    asOf: timestamptz().notNull(),
    projects: jsonb().$type<ProjectCounts[]>().notNull(),
    /** Once completed: what went, and how many of the items stayed because they were no longer to go. */
    removed: jsonb().$type<RetentionCounts & { kept: number }>(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    startedBy: uuid().references(() => users.id),
    startedAt: timestamptz(),
    completedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('retention_runs_running_key').on(t.status).where(sql`status = 'running'`),
    check('retention_runs_status', isOneOf(t.status, RETENTION_RUN_STATUSES)),
  ],
)

/** One thing that a run removes: of a file its bytes or previews, of a project its old notifications. Gone once it has run. */
export const retentionItems = pgTable(
  'retention_items',
  {
    runId: uuid()
      .notNull()
      .references(() => retentionRuns.id, { onDelete: 'cascade' }),
    /** A file or a project; its row may be gone since. */
    subjectId: uuid().notNull(),
    kind: text().$type<'file' | 'activity'>().notNull(),
    projectId: uuid().notNull(),
    batchId: uuid(),
    /** Bytes of a file that go, notifications of a project. */
    amount: bigint({ mode: 'number' }).notNull(),
    removal: jsonb().$type<Removal & { activity?: { days: number; of: 'service' | 'project' } }>().notNull(),
    /** What went of the amount so far. */
    removedAmount: bigint({ mode: 'number' }).notNull().default(0),
    doneAt: timestamptz(),
    isKept: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.subjectId] }),
    index('retention_items_waiting_index').on(t.runId, t.kind, t.subjectId).where(sql`done_at is null`),
  ],
)
