import { check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { STAGE_NEEDS, STAGE_PARTIES, type StageNeed, type StageParty } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { files } from './files'
import { batches } from './projects'

/** A step on the way to the approval of a batch: who is asked, and after whom. A batch without any goes on as ever. */
export const reviewStages = pgTable(
  'review_stages',
  {
    id: id(),
    batchId: uuid()
      .notNull()
      .references(() => batches.id),
    name: text().notNull(),
    party: text().$type<StageParty>().notNull(),
    /** Stages of a lower position come before; those of one position run beside each other. */
    position: integer().notNull(),
    /** Whether all who take part must approve a file, or any one of them. */
    needs: text().$type<StageNeed>().notNull(),
    dueAt: timestamptz(),
    /** When every current file was decided at it; null while that is not so. */
    completedAt: timestamptz(),
    skippedAt: timestamptz(),
    skippedBy: uuid().references(() => users.id),
    skipReason: text(),
    withdrawnAt: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('review_stages_batch_id_index').on(t.batchId, t.position),
    check('review_stages_party', isOneOf(t.party, STAGE_PARTIES)),
    check('review_stages_needs', isOneOf(t.needs, STAGE_NEEDS)),
  ],
)

/** The users who take part in a stage; people without an account do by a review link. */
export const reviewStageMembers = pgTable(
  'review_stage_members',
  {
    stageId: uuid()
      .notNull()
      .references(() => reviewStages.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.stageId, t.userId] }), index('review_stage_members_user_id_index').on(t.userId)],
)

/** What a user decided on a version of a file at a stage, about these very bytes. */
export const stageDecisions = pgTable(
  'stage_decisions',
  {
    id: id(),
    stageId: uuid()
      .notNull()
      .references(() => reviewStages.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    sha256: text().notNull(),
    decision: text().$type<'approved' | 'rejected'>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('stage_decisions_stage_id_user_id_file_id_key').on(t.stageId, t.userId, t.fileId),
    index('stage_decisions_file_id_index').on(t.fileId),
    check('stage_decisions_decision', isOneOf(t.decision, ['approved', 'rejected'])),
  ],
)
