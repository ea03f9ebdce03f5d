import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { RESULT_STATUSES, RESULT_SUMMARIES, type ResultStatus, type ResultSummary } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { preQcProfiles, users } from './directory'
import { files } from './files'
import { batches, projects } from './projects'

export const preQcResults = pgTable(
  'pre_qc_results',
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
    fileSha256: text().notNull(),
    profileId: uuid()
      .notNull()
      .references(() => preQcProfiles.id),
    attempt: integer().notNull().default(1),
    /** The newest attempt for this file; older ones stay readable. */
    isCurrent: boolean().notNull().default(true),
    status: text().$type<ResultStatus>().notNull().default('queued'),
    summary: text().$type<ResultSummary>(),
    checks: json().$type<Record<string, unknown>[]>().notNull().default([]),
    engineVersion: text(),
    /** Fencing: who took the job last. A write with an older fence is refused. */
    fence: integer().notNull().default(0),
    progress: integer().notNull().default(0),
    failure: text(),
    startedAt: timestamptz(),
    completedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('pre_qc_results_current_key').on(t.fileId).where(sql`is_current`),
    uniqueIndex('pre_qc_results_file_id_attempt_key').on(t.fileId, t.attempt),
    index('pre_qc_results_batch_id_index').on(t.batchId, t.id.desc()),
    index('pre_qc_results_project_id_index').on(t.projectId, t.completedAt),
    index('pre_qc_results_completed_at_index').on(t.completedAt).where(sql`status = 'completed'`),
    index('pre_qc_results_unfinished_index').on(t.status).where(sql`status in ('queued', 'running')`),
    check('pre_qc_results_status', isOneOf(t.status, RESULT_STATUSES)),
    check('pre_qc_results_summary', isOneOf(t.summary, RESULT_SUMMARIES)),
  ],
)

export const preQcWaivers = pgTable(
  'pre_qc_waivers',
  {
    id: id(),
    resultId: uuid()
      .notNull()
      .references(() => preQcResults.id, { onDelete: 'cascade' }),
    checkId: text().notNull(),
    reason: text().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('pre_qc_waivers_result_id_check_id_key').on(t.resultId, t.checkId)],
)

/**
 * What was measured for a result: everything the checks evaluate by, so that other settings can be tried on it without the
 * file. Stored for the newest result of a file.
 */
export const preQcMeasurements = pgTable('pre_qc_measurements', {
  resultId: uuid()
    .primaryKey()
    .references(() => preQcResults.id, { onDelete: 'cascade' }),
  subject: json().$type<Record<string, unknown>>().notNull(),
})
