import { z } from 'zod'
import { ref, uuid } from '../kernel/shapes'

const count = z.int().min(0)
const share = z.number().min(0).max(1).nullable()
const hours = z.number().min(0).nullable()
const day = z.iso.date('must be a day such as 2026-03-31')

const range = {
  from: day.optional().describe('First day, UTC, included; by default 29 days before `to`'),
  to: day.optional().describe('Last day, UTC, included; by default today'),
}
export const AnalyticsRange = z.strictObject(range)
export const AnalyticsQuestion = z.strictObject({ ...range, agency_id: uuid.optional() })

const FailingCheck = z.object({ check_id: z.string(), label: z.string(), count: count.describe('Files') })

const metrics = {
  files_checked: count.describe(
    'Files with a verdict in the range. A file with its versions counts once, by its latest completed result',
  ),
  pass: count,
  warning: count,
  fail: count,
  pass_rate: share.describe('(pass + warning) / files_checked; null when nothing was checked'),
  not_applicable: count.describe('Files to which no check applied; they are not among files_checked'),
  first_time_pass_rate: share.describe('Of the files checked, those whose first result was no fail'),
  resupply_rounds_average: z
    .number()
    .min(0)
    .describe('Submits after the first, on average over the batches of the files'),
  uploads_rejected: count.describe('Uploads refused before anything was stored'),
  median_hours: z
    .object({ agency: hours, review: hours })
    .describe(
      'Of the turns that ended in the range. The agency has a batch until it is submitted, and again while it awaits a resupply; the review has it from submit to its completion. The clock of both stands while the project is not active',
    ),
  top_failing_checks: z.array(FailingCheck).max(5).describe('Checks that fail now and were not waived, by files'),
  previous: z.object({ pass_rate: share }).describe('The same number of days just before'),
}

export const Metrics = z.object(metrics)
export type Metrics = z.infer<typeof Metrics>

export const AgencyMetrics = z.object({ agency: ref, ...metrics }).meta({ id: 'AgencyAnalytics' })
export type AgencyMetrics = z.infer<typeof AgencyMetrics>

export const AgencyAnalytics = z
  .object({ from: z.iso.date(), to: z.iso.date(), agencies: z.array(AgencyMetrics) })
  .meta({ id: 'AgencyAnalyticsList' })
export type AgencyAnalytics = z.infer<typeof AgencyAnalytics>

const BUCKETS = ['day', 'week', 'month'] as const
export type Bucket = (typeof BUCKETS)[number]

/** One stretch of time in a chart. */
export const TrendPoint = z.object({
  start: z.iso.date(),
  pass: count,
  warning: count,
  fail: count,
  pass_rate: share,
  first_time_pass_rate: share,
})
export type TrendPoint = z.infer<typeof TrendPoint>

export const Trend = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  bucket: z.enum(BUCKETS),
  metrics: Metrics,
  points: z.array(TrendPoint),
})
export type Trend = z.infer<typeof Trend>

const Overruled = z.object({
  check_id: z.string(),
  label: z.string(),
  profile: z.object({ media_category: ref, version: z.int().min(1) }).describe('The settings it was evaluated by'),
  findings: count.describe('Failed checks on which a reviewer has decided, by waiving them or by deciding on the file'),
  overruled: count.describe('Of those, waived, or in a file that was approved all the same'),
  overrule_rate: z.number().min(0).max(1),
})
export type Overruled = z.infer<typeof Overruled>

export const OverruledChecks = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    checks: z.array(Overruled).describe('Most overruled first, at most 500'),
  })
  .meta({ id: 'OverruledChecks' })
export type OverruledChecks = z.infer<typeof OverruledChecks>
