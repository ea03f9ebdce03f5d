import { bigserial, check, date, doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { isOneOf, timestamptz } from './columns'

/**
 * What analytics reads instead of results, files and events: sums and short rows of each batch, by day (of UTC). Functions
 * of the migrations (analytics_results_of_batch and so on) compute them, and are the only place that says what is counted.
 *
 * Triggers write a row of `analytics_changes` in the transaction that changes what is counted. A worker computes the rows of
 * the batches named there anew, and removes what it read of the changes. Until then the rows of these batches are not read:
 * their metrics are computed for the question. So what is answered is exact, and writers never wait for each other.
 */
export const analyticsChanges = pgTable('analytics_changes', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  /** Null: all batches of the project. */
  batchId: uuid(),
  projectId: uuid(),
})

const tally = () => ({
  pass: integer().notNull(),
  warning: integer().notNull(),
  fail: integer().notNull(),
  notApplicable: integer().notNull(),
  /** Whose first check passed, of those that had one: what the first-time pass rate divides. */
  passedFirst: integer().notNull(),
  checkedFirst: integer().notNull(),
})

/** Of the files of a batch: the results that were completed on a day, by the day on which the next of the same file was. */
export const analyticsResults = pgTable(
  'analytics_results',
  {
    batchId: uuid().notNull(),
    projectId: uuid().notNull(),
    day: date().notNull(),
    /** Null: they are the latest. In a range that ends before this day they count. */
    untilDay: date(),
    ...tally(),
  },
  (t) => [
    index('analytics_results_batch_id_index').on(t.batchId),
    // tallies, tallyByTime. In the migration this and those below hold the columns that are read, too: Drizzle knows no INCLUDE.
    index('analytics_results_day_index').on(t.day),
  ],
)

const FINDING_KINDS = ['latest', 'first', 'reviewed'] as const

const finding = () => ({
  /** Of `reviewed`. */
  profileId: uuid(),
  checkId: text(),
  /** As the newest result says. */
  label: text(),
  newestAt: timestamptz(),
  count: integer().notNull(),
  /** Of `reviewed`: waived, or of a file that was approved. */
  overruled: integer(),
  /** Of `first`: the newest result that says so, and the newest that says how to fix it. */
  newestId: uuid(),
  fixedId: uuid(),
  fixedAt: timestamptz(),
})

/** The same of checks that fail, without those that were waived, by check. */
export const analyticsFindings = pgTable(
  'analytics_findings',
  {
    batchId: uuid().notNull(),
    projectId: uuid().notNull(),
    /**
     * Of the results of a day (`latest`), of the first results of their files (`first`), or those of which a reviewer decided,
     * waived ones among them, whatever came after (`reviewed`).
     */
    kind: text({ enum: FINDING_KINDS }).notNull(),
    day: date().notNull(),
    untilDay: date(),
    ...finding(),
  },
  (t) => [
    index('analytics_findings_batch_id_index').on(t.batchId),
    // failingChecks, firstFailures, overruledChecks.
    index('analytics_findings_kind_day_index').on(t.kind, t.day),
    check('analytics_findings_kind', isOneOf(t.kind, FINDING_KINDS)),
  ],
)

/** How often a batch was resupplied by the end of each day on which that, or when a file was last checked, changed. */
export const analyticsRounds = pgTable(
  'analytics_rounds',
  {
    batchId: uuid().notNull(),
    projectId: uuid().notNull(),
    /** When a file of it was last checked. */
    day: date().notNull(),
    fromDay: date().notNull(),
    /** At the end of this day it is another row. */
    untilDay: date(),
    resupplies: integer().notNull(),
  },
  (t) => [
    index('analytics_rounds_batch_id_index').on(t.batchId),
    // resupplyRounds.
    index('analytics_rounds_day_index').on(t.day),
  ],
)

/** How long each turn of a batch took, by the day on which it ended. A median needs every one. */
export const analyticsTurns = pgTable(
  'analytics_turns',
  {
    batchId: uuid().notNull(),
    projectId: uuid().notNull(),
    holder: text({ enum: ['agency', 'review'] }).notNull(),
    day: date().notNull(),
    hours: doublePrecision().notNull(),
  },
  (t) => [
    index('analytics_turns_batch_id_index').on(t.batchId),
    // turnaround.
    index('analytics_turns_day_index').on(t.day),
  ],
)

/**
 * Months (their first day) of which there are sums by agency, in the tables below: what analytics reads of whole months
 * instead of the rows of batches. `months.ts` of the domain makes them.
 *
 * Triggers remove a month when a row of a batch in it comes, goes or changes, whatever wrote it; a worker sums it anew. Until
 * then its rows are read, and so they are while a batch with rows in it is noted in `analytics_changes`.
 */
export const analyticsMonths = pgTable('analytics_months', {
  month: date().primaryKey(),
})

const ofMonth = () => ({ agencyId: uuid().notNull(), month: date().notNull() })

/** Of `analyticsResults`. */
export const analyticsMonthResults = pgTable(
  'analytics_month_results',
  {
    ...ofMonth(),
    /** Null, or a day after the month: what ends within it counts in no range that has all of it. */
    untilDay: date(),
    ...tally(),
  },
  (t) => [index('analytics_month_results_month_index').on(t.month)],
)

/** Of `analyticsFindings`. */
export const analyticsMonthFindings = pgTable(
  'analytics_month_findings',
  {
    ...ofMonth(),
    kind: text({ enum: FINDING_KINDS }).notNull(),
    untilDay: date(),
    ...finding(),
  },
  (t) => [index('analytics_month_findings_month_index').on(t.month, t.kind)],
)

/** Of `analyticsRounds`. */
export const analyticsMonthRounds = pgTable(
  'analytics_month_rounds',
  {
    ...ofMonth(),
    /** Null: within the month. */
    fromDay: date(),
    untilDay: date(),
    batches: integer().notNull(),
    resupplies: integer().notNull(),
  },
  (t) => [index('analytics_month_rounds_month_index').on(t.month)],
)

/** Of `analyticsTurns`: the length of each, the shortest first. */
export const analyticsMonthTurns = pgTable(
  'analytics_month_turns',
  {
    ...ofMonth(),
    holder: text({ enum: ['agency', 'review'] }).notNull(),
    hours: doublePrecision().array().notNull(),
  },
  (t) => [index('analytics_month_turns_month_index').on(t.month)],
)
