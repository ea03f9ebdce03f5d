import { desc } from 'drizzle-orm'
import { agencies } from '@/db/schema/directory'
import { query, type Tx } from '../kernel/operation'
import {
  failingChecks,
  overruledChecks,
  rejectedUploads,
  resupplyRounds,
  type Scope,
  tallies,
  tallyByTime,
  turnaround,
} from './measure'
import { before, bucketOf, bucketStarts, passRate, type Range, rangeOf, spanOf } from './rules'
import { AgencyAnalytics, AnalyticsQuestion, AnalyticsRange, type Metrics, OverruledChecks, Trend } from './schema'

const TOP_CHECKS = 5
const MOST_OVERRULED = 500
/** Stands for all agencies together in the rows of the queries. */
const ALL = null

/** Returns the metrics of an agency, or of all of them, in the range. */
async function metricsIn(tx: Tx, range: Range, agencyId?: string): Promise<(agencyId: string | null) => Metrics> {
  const scope: Scope = { ...spanOf(range), agencyId }
  const [now, past, rounds, rejected, hours, failing] = await Promise.all([
    tallies(tx, scope),
    tallies(tx, { ...spanOf(before(range)), agencyId }),
    resupplyRounds(tx, scope),
    rejectedUploads(tx, scope),
    turnaround(tx, scope),
    failingChecks(tx, scope),
  ])
  return (id) => {
    const of = <T extends { agency_id: string | null }>(rows: Iterable<T>) =>
      Array.from(rows).find((row) => row.agency_id === id)
    const { pass, warning, fail, not_applicable, first_time_pass_rate } = of(now) ?? {
      pass: 0,
      warning: 0,
      fail: 0,
      not_applicable: 0,
      first_time_pass_rate: null,
    }
    const earlier = of(past)
    const turns = of(hours)
    return {
      files_checked: pass + warning + fail,
      pass,
      warning,
      fail,
      pass_rate: passRate({ pass, warning, fail }),
      not_applicable,
      first_time_pass_rate,
      resupply_rounds_average: of(rounds)?.rounds ?? 0,
      uploads_rejected: of(rejected)?.count ?? 0,
      median_hours: { agency: turns?.agency ?? null, review: turns?.review ?? null },
      top_failing_checks: Array.from(failing)
        .filter((row) => row.agency_id === id)
        .slice(0, TOP_CHECKS)
        .map(({ check_id, label, count }) => ({ check_id, label, count })),
      previous: { pass_rate: earlier ? passRate(earlier) : null },
    }
  }
}

export const getAgencyAnalytics = query({
  name: 'getAgencyAnalytics',
  summary: 'Pre-QC metrics, agency by agency, newest agency first; only projects you can see are counted',
  permission: 'analytics.read',
  input: AnalyticsRange,
  output: AgencyAnalytics,
  async run(tx, { input }) {
    const range = rangeOf(input, tx.now)
    const [listed, metricsOf] = await Promise.all([
      tx.db.select({ id: agencies.id, name: agencies.name }).from(agencies).orderBy(desc(agencies.id)),
      metricsIn(tx, range),
    ])
    return { ...range, agencies: listed.map((agency) => ({ agency, ...metricsOf(agency.id) })) }
  },
})

/** For the analytics screen: all agencies together, or one, and its metrics over time. */
export const getTrend = query({
  name: 'getTrend',
  summary: 'Pre-QC metrics over time, for one agency or all of them',
  permission: 'analytics.read',
  input: AnalyticsQuestion,
  output: Trend,
  async run(tx, { input: { agency_id, ...asked } }) {
    const range = rangeOf(asked, tx.now)
    const bucket = bucketOf(range)
    const [metricsOf, rows] = await Promise.all([
      metricsIn(tx, range, agency_id),
      tallyByTime(tx, { ...spanOf(range), agencyId: agency_id }, bucket),
    ])
    const byStart = new Map(Array.from(rows).map((row) => [row.start, row]))
    return {
      ...range,
      bucket,
      metrics: metricsOf(ALL),
      points: bucketStarts(range, bucket).map((start) => {
        const { pass, warning, fail, first_time_pass_rate } = byStart.get(start) ?? {
          pass: 0,
          warning: 0,
          fail: 0,
          first_time_pass_rate: null,
        }
        const rate = passRate({ pass, warning, fail })
        return { start, pass, warning, fail, pass_rate: rate, first_time_pass_rate }
      }),
    }
  },
})

export const getOverruledChecks = query({
  name: 'getOverruledChecks',
  summary: 'How often reviewers overrule a failed check, by check and profile; only projects you can see are counted',
  permission: 'analytics.read',
  input: AnalyticsQuestion,
  output: OverruledChecks,
  async run(tx, { input: { agency_id, ...asked } }) {
    const range = rangeOf(asked, tx.now)
    const rows = await overruledChecks(tx, { ...spanOf(range), agencyId: agency_id }, MOST_OVERRULED)
    return {
      ...range,
      checks: rows.map(({ check_id, label, category_id, category_name, profile_version, findings, overruled }) => ({
        check_id,
        label,
        profile: { media_category: { id: category_id, name: category_name }, version: profile_version },
        findings,
        overruled,
        overrule_rate: overruled / findings,
      })),
    }
  },
})
