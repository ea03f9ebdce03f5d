import { z } from 'zod'
import { listOf, paging, ref, timestamp, uuid } from '../kernel/shapes'

/** A scorecard link is never used up: it may be read as often as its reader likes. */
export const SCORECARD_LINK_STATUSES = ['active', 'expired', 'deactivated'] as const

export const ScorecardLink = z
  .object({
    id: uuid,
    agency: ref,
    url: z.string(),
    status: z.enum(SCORECARD_LINK_STATUSES),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().describe('To the minute'),
    created_by: ref,
    created_at: timestamp,
  })
  .meta({ id: 'ScorecardLink' })
export type ScorecardLink = z.infer<typeof ScorecardLink>

export const ScorecardLinkList = listOf('scorecard_links', ScorecardLink).meta({ id: 'ScorecardLinkList' })
export const ListScorecardLinks = z.strictObject(paging)
export const CreateScorecardLink = z.strictObject({
  expires_at: z.iso.datetime({ offset: true }).nullish().describe('Null: until it is deactivated'),
})

const count = z.int().min(0)
const share = z.number().min(0).max(1).nullable()

/** What an agency may know of its own deliveries, and of how they compare. */
export const Scorecard = z
  .object({
    agency: z.object({ name: z.string() }),
    from: z.iso.date(),
    to: z.iso.date(),
    files_checked: count.describe('A file with its versions counts once'),
    first_time_pass_rate: share.describe('Of the files checked, those whose first result was no fail'),
    previous: z.object({ first_time_pass_rate: share }).describe('The same number of days just before'),
    others_median: share.describe(
      'First-time pass rate of the other agencies, the median in whole percent; null unless at least three of them delivered',
    ),
    weeks: z.array(
      z.object({ start: z.iso.date().describe('A Monday'), files_checked: count, first_time_pass_rate: share }),
    ),
    top_failing_checks: z
      .array(
        z.object({
          check_id: z.string(),
          label: z.string(),
          count: count.describe('Files that failed it the first time'),
          example: z
            .object({ file_name: z.string(), details: z.string(), fix: z.string().nullable() })
            .describe('The newest such file, and how it is fixed'),
        }),
      )
      .max(5),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'Scorecard' })
export type Scorecard = z.infer<typeof Scorecard>
