import { z } from 'zod'
import { CHECK_STATUSES, REPAIR_STATUSES, RESULT_SUMMARIES } from '@/lib/vocabulary'
import { prose, ref, text, timestamp, uuid } from '../kernel/shapes'

const said = z.object({ status: z.enum(CHECK_STATUSES), details: z.string() }).nullable()

export const Repair = z
  .object({
    id: uuid,
    batch_id: uuid,
    file_id: uuid,
    file_version: z.int(),
    result_id: uuid.describe('The result whose findings are repaired'),
    destination: z
      .object({ id: z.string(), title: z.string() })
      .nullable()
      .describe('The destination it is to fit; null: what its media category asks'),
    status: z.enum(REPAIR_STATUSES),
    name: z.string().describe('Of the copy'),
    changes: z.string().describe('What is changed, in one sentence'),
    size: z.int().nullable(),
    sha256: z.string().nullable(),
    summary: z.enum(RESULT_SUMMARIES).nullable().describe('Of the checks of the copy'),
    checks: z
      .array(z.object({ check_id: z.string(), label: z.string(), before: said, after: said, is_fixed: z.boolean() }))
      .describe(
        'Checks that say something else of the copy than of the file, and those that are to be fixed: of a copy for a destination by what that asks',
      ),
    parts: z
      .array(z.object({ name: z.string(), sha256: z.string(), is_untouched: z.boolean() }))
      .describe('Streams, entries or samples of the copy; untouched: the file holds the very same'),
    preview_url: z.string().nullable().describe('An image of the copy'),
    download_url: z.string().nullable(),
    failure: z.string().nullable().describe('Why there is no copy'),
    requested_by: ref.nullable(),
    decided_by: ref.nullable(),
    decided_at: timestamp.nullable(),
    comment: z.string().nullable(),
    accepted_file_id: uuid.nullable().describe('The version it became'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Repair' })
export type Repair = z.infer<typeof Repair>

export const FileRepair = z
  .object({
    repair: Repair.nullable().describe('The newest copy, whatever became of it'),
    possible: z
      .object({
        changes: z
          .string()
          .nullable()
          .describe('What a copy would change, in one sentence; null: nothing can be repaired'),
        fixes: z.array(z.object({ check_id: z.string(), label: z.string() })),
        left: z
          .array(z.object({ check_id: z.string(), label: z.string(), why: z.string() }))
          .describe('Findings that need a person, and why'),
      })
      .nullable()
      .describe('Null while nothing is measured'),
  })
  .meta({ id: 'FileRepair' })
export type FileRepair = z.infer<typeof FileRepair>

export const ProposeRepair = z.strictObject({
  destination_id: text(60).optional().describe('Without it: what the media category of the file asks'),
})
export const RefuseRepair = z.strictObject({ comment: prose(1000).optional() })
