import { z } from 'zod'
import { STAGE_NEEDS, STAGE_PARTIES, STAGE_STATES } from '@/lib/vocabulary'
import { line, ref, timestamp, uuid } from '../kernel/shapes'

export const ReviewStage = z
  .object({
    id: uuid,
    batch_id: uuid,
    name: z.string(),
    party: z.enum(STAGE_PARTIES),
    position: z.int().describe('Stages of a lower one come before; those of the same run beside each other'),
    needs: z.enum(STAGE_NEEDS).describe('Whether all who take part must approve a file, or any one of them'),
    state: z.enum(STAGE_STATES),
    open_since: timestamp.nullable().describe('Since when it waits for those who take part; null: it does not'),
    due_at: timestamp.nullable(),
    is_late: z.boolean(),
    completed_at: timestamp.nullable(),
    users: z.array(ref).describe('Who takes part with an account'),
    guests: z.array(ref).describe('Who takes part by a review link'),
    counts: z
      .object({ files: z.int(), approved: z.int(), rejected: z.int() })
      .describe('Current files, by what was decided at this stage on these very bytes'),
    skipped: z.object({ at: timestamp, by: ref, reason: z.string() }).nullable(),
    withdrawn_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ReviewStage' })
export type ReviewStage = z.infer<typeof ReviewStage>

export const ReviewStageList = z
  .object({ stages: z.array(ReviewStage), next_cursor: z.null() })
  .meta({ id: 'ReviewStageList' })

/** As many stages can a batch have. */
export const MOST_STAGES = 20

const terms = {
  name: line(120),
  position: z.int().min(1).max(1000),
  needs: z.enum(STAGE_NEEDS),
  due_at: z.iso.datetime({ offset: true }).nullish(),
  user_ids: z.array(uuid).max(50).describe('Operators or higher who are members of the project'),
}

export const CreateReviewStage = z.strictObject({
  name: terms.name,
  party: z.enum(STAGE_PARTIES),
  position: terms.position.optional().describe('After all others unless said otherwise'),
  needs: terms.needs.optional().describe('`any` unless said otherwise'),
  due_at: terms.due_at,
  user_ids: terms.user_ids.optional(),
})

export const UpdateReviewStage = z.strictObject({
  name: terms.name.optional(),
  position: terms.position.optional(),
  needs: terms.needs.optional(),
  due_at: terms.due_at,
  user_ids: terms.user_ids.optional(),
})

export const SkipReviewStage = z.strictObject({ reason: line(500).describe('Why the batch goes on without it') })
