import { firstFailures, tallies, tallyByTime } from '../analytics/measure'
import { addDays, before, bucketStart, bucketStarts, type Range, rangeOf, spanOf } from '../analytics/rules'
import { query } from '../kernel/operation'
import { isoOrNull } from '../kernel/shapes'
import { wordsOutside } from '../pre-qc/rules'
import { authenticateReader, byToken } from './find'
import { assertReadable, medianOfOthers } from './rules'
import { Scorecard } from './schema'

const WEEKS = 12
const TOP_CHECKS = 5

/** Twelve whole weeks and the one that runs, so that no column of the chart stands for half a week but the last. */
function rangeAt(now: Date): Range {
  const { to } = rangeOf({}, now)
  return { from: addDays(bucketStart(to, 'week'), -7 * WEEKS), to }
}

export const getScorecard = query({
  name: 'getScorecard',
  summary: 'How an agency delivers: its own metrics of the last weeks, and the median of others once there are enough',
  permission: 'anyone',
  resource: byToken,
  authenticateAs: authenticateReader,
  output: Scorecard,
  async run(tx, { resource: { link, agency } }) {
    assertReadable(link, tx.now)
    // A card counts every project, for every reader; what leaves is the agency's own, and one metric of all the others.
    const counting = { ...tx, actor: { type: 'system', name: 'Scorecard' } as const }
    const range = rangeAt(tx.now)
    const own = { ...spanOf(range), agencyId: agency.id }
    const [agencies, past, weeks, failures] = await Promise.all([
      tallies(counting, spanOf(range)),
      tallies(counting, { ...spanOf(before(range)), agencyId: agency.id }),
      tallyByTime(counting, own, 'week'),
      firstFailures(counting, own),
    ])
    const now = Array.from(agencies).find(({ agency_id }) => agency_id === agency.id)
    const others = Array.from(agencies).flatMap(({ agency_id, first_time_pass_rate }) =>
      agency_id === null || agency_id === agency.id || first_time_pass_rate === null ? [] : [first_time_pass_rate],
    )
    const byStart = new Map(Array.from(weeks).map((week) => [week.start, week]))
    return {
      agency: { name: agency.name },
      ...range,
      files_checked: now ? now.pass + now.warning + now.fail : 0,
      first_time_pass_rate: now?.first_time_pass_rate ?? null,
      previous: {
        first_time_pass_rate:
          Array.from(past).find(({ agency_id }) => agency_id === agency.id)?.first_time_pass_rate ?? null,
      },
      others_median: medianOfOthers(others),
      weeks: bucketStarts(range, 'week').map((start) => {
        const week = byStart.get(start)
        return {
          start,
          files_checked: week ? week.pass + week.warning + week.fail : 0,
          first_time_pass_rate: week?.first_time_pass_rate ?? null,
        }
      }),
      top_failing_checks: Array.from(failures)
        .slice(0, TOP_CHECKS)
        .map(({ check_id, label, count, example: { file_name, details, fix } }) => ({
          check_id,
          label,
          count,
          example: { file_name, ...wordsOutside({ check_id, details, fix }) },
        })),
      expires_at: isoOrNull(link.expiresAt),
    }
  },
})
