import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, json, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  RESULT_STATUSES,
  RESULT_SUMMARIES,
  type ResultStatus,
  type ResultSummary,
  WAIVER_REASONS,
  type WaiverReason,
  type WaiverScope,
} from '@/lib/vocabulary'
import { bytea, createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
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
    /** The file, or a part of its checks, could not be checked: `couldNotRun` of the rules. */
    couldNotRun: boolean().notNull().default(false),
    /** The engine is not sure enough of a finding to fail by it, and it is not waived: `needsEyes` of the rules. */
    needsEyes: boolean().notNull().default(false),
    engineVersion: text(),
    /** When the content was measured, where that was before this attempt; null: for this attempt. */
    measuredAt: timestamptz(),
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
    index('pre_qc_results_batch_id_newest_index').on(t.batchId, t.id),
    // Includes what a result came to, and of which file: see the migration.
    index('pre_qc_results_batch_id_current_index').on(t.batchId).where(sql`is_current`),
    index('pre_qc_results_could_not_run_index').on(t.batchId).where(sql`could_not_run and is_current`),
    index('pre_qc_results_needs_eyes_index').on(t.id).where(sql`needs_eyes and is_current`),
    index('pre_qc_results_project_id_index').on(t.projectId, t.completedAt),
    index('pre_qc_results_completed_at_index').on(t.completedAt).where(sql`status = 'completed'`),
    // search: see finding_text of the migrations.
    index('pre_qc_results_findings_index')
      .using('gin', sql`to_tsvector('simple', finding_text(checks))`)
      .where(sql`is_current`),
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
    reasonCode: text().$type<WaiverReason>().notNull().default('other'),
    reason: text().notNull(),
    /** From then on it no longer holds: the next sweep takes it away. */
    expiresAt: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    /** The second person, where one was needed. */
    confirmedBy: uuid().references(() => users.id),
    scope: text().$type<WaiverScope>().notNull().default('file'),
    /** The waiver of a batch or project that this one follows from; that may be over. */
    scopedWaiverId: uuid(),
    createdAt: createdAt(),
  },
  (t) => [
    index('pre_qc_waivers_scoped_waiver_id_index').on(t.scopedWaiverId).where(sql`scoped_waiver_id is not null`),
    uniqueIndex('pre_qc_waivers_result_id_check_id_key').on(t.resultId, t.checkId),
    index('pre_qc_waivers_expires_at_index').on(t.expiresAt).where(sql`expires_at is not null`),
    check('pre_qc_waivers_reason_code', isOneOf(t.reasonCode, WAIVER_REASONS)),
  ],
)

/** Waivers that wait for a second person; until then their findings count. */
export const preQcWaiverProposals = pgTable(
  'pre_qc_waiver_proposals',
  {
    id: id(),
    resultId: uuid()
      .notNull()
      .references(() => preQcResults.id, { onDelete: 'cascade' }),
    checkId: text().notNull(),
    reasonCode: text().$type<WaiverReason>().notNull(),
    reason: text().notNull(),
    expiresAt: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('pre_qc_waiver_proposals_result_id_check_id_key').on(t.resultId, t.checkId),
    check('pre_qc_waiver_proposals_reason_code', isOneOf(t.reasonCode, WAIVER_REASONS)),
  ],
)

/**
 * Waivers of what one check finds in every file of a batch, or of a project where there is no batch, those that arrive
 * later included. The waivers of single files follow from them (lib/domain/pre-qc/scoped-waivers.ts).
 */
export const preQcScopedWaivers = pgTable(
  'pre_qc_scoped_waivers',
  {
    id: id(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id),
    batchId: uuid().references(() => batches.id),
    checkId: text().notNull(),
    /** Of the check, when it was waived. */
    label: text().notNull(),
    reasonCode: text().$type<WaiverReason>().notNull(),
    reason: text().notNull(),
    expiresAt: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    /** It holds once a second person has confirmed it. */
    needsSecond: boolean().notNull().default(false),
    confirmedBy: uuid().references(() => users.id),
    /** When it was withdrawn: its job takes back what follows from it, and then the row. */
    withdrawnAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('pre_qc_scoped_waivers_project_batch_check_key')
      .on(t.projectId, sql`coalesce(${t.batchId}, ${t.projectId})`, t.checkId)
      .where(sql`withdrawn_at is null`),
    index('pre_qc_scoped_waivers_batch_id_index').on(t.batchId),
    index('pre_qc_scoped_waivers_expires_at_index').on(t.expiresAt).where(sql`expires_at is not null`),
    check('pre_qc_scoped_waivers_reason_code', isOneOf(t.reasonCode, WAIVER_REASONS)),
  ],
)

/**
 * One row for each completed result, with what analytics counts by: kept by triggers of `pre_qc_results`, `pre_qc_waivers`
 * and `files` (verdicts_of_series of the migrations computes it), in the transaction that changes those. `npm run doctor`
 * compares them, with --fix writes them anew. A file with its versions is a series.
 */
export const verdicts = pgTable(
  'verdicts',
  {
    resultId: uuid()
      .primaryKey()
      .references(() => preQcResults.id, { onDelete: 'cascade' }),
    projectId: uuid().notNull(),
    batchId: uuid().notNull(),
    /** With the batch: which file, its versions taken together. */
    series: text().notNull(),
    completedAt: timestamptz().notNull(),
    /** When the next result of the series was complete; null: this is the latest. */
    replacedAt: timestamptz(),
    summary: text().$type<ResultSummary>(),
    /** Of the very first check of the series. */
    firstResultId: uuid().notNull(),
    firstSummary: text().$type<ResultSummary>(),
    /** Checks that fail and were not waived; null unless the summary is fail. */
    failing: jsonb().$type<{ check_id: string; label: string }[]>(),
    /** Checks that fail, warn or could not run and were not waived, in their order; null: a worker has yet to fill it in. */
    findings: text().array(),
  },
  (t) => [
    index('verdicts_series_index').on(t.batchId, t.series),
    // Includes the result and what was found: see the migration.
    index('verdicts_found_index').on(t.batchId).where(sql`findings <> '{}'`),
    index('verdicts_unfilled_index').on(t.batchId).where(sql`findings is null`),
    index('verdicts_failing_index').on(t.completedAt).where(sql`summary = 'fail'`),
  ],
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

/**
 * What was measured of a content, however many files hold that, so that the same bytes are decoded once: a row for each way
 * of measuring it. Only what the bytes say, never a name or a verdict. It goes with the last file that keeps these bytes.
 */
export const contentMeasurements = pgTable(
  'content_measurements',
  {
    id: id(),
    sha256: text().notNull(),
    /** Of the code that measured: `MEASURE_VERSION`. */
    version: text().notNull(),
    /** What was measured besides the bytes themselves decides: `wayOf` of the rules of measuring. */
    way: text().notNull(),
    /** JSON, compressed by zlib; null while it is measured. */
    document: bytea(),
    /** Of the document before it was compressed. */
    bytes: integer(),
    madeAt: timestamptz(),
    usedAt: timestamptz().notNull().default(sql`now()`),
    /** Who measures it now, and until when that holds without a sign of life; null once it is measured. */
    claim: uuid(),
    claimedUntil: timestamptz(),
  },
  (t) => [
    uniqueIndex('content_measurements_sha256_key').on(t.sha256, t.version, t.way),
    check('content_measurements_state', sql`(${t.document} is null) = (${t.claim} is not null)`),
  ],
)

/** What was read in a file when it was last checked, for the search: text of a PDF, and what was recognised in images. */
export const recognisedTexts = pgTable(
  'recognised_texts',
  {
    fileId: uuid()
      .primaryKey()
      .references(() => files.id, { onDelete: 'cascade' }),
    /** Words in reading order, at most `RECOGNISED_LENGTH` characters. */
    body: text().notNull(),
  },
  () => [index('recognised_texts_words_index').using('gin', sql`to_tsvector('simple', body)`)],
)
