import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  type EstimateDecision,
  type EstimateSide,
  type LineUnit,
  type Role,
  STORED_ESTIMATE_STATUSES,
  type StoredEstimateStatus,
} from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { projects } from './projects'

/** Decimals are exact; they travel as text and are computed by `lib/domain/kernel/money`. */
const decimal = () => numeric({ precision: 30, scale: 4 })

/** One step of an approval under way, as the workflow stood when the estimate was submitted. */
export type ApprovalStep = {
  name: string
  role: Role | null
  user: { id: string; name: string } | null
  status: 'pending' | 'approved' | 'rejected'
  by: { id: string; name: string } | null
  at: string | null
  comment: string
}

export const costEstimates = pgTable(
  'cost_estimates',
  {
    id: id(),
    number: text().notNull(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id),
    title: text().notNull(),
    /** `expired` is not stored: it is what a waiting estimate is once its last day is over. */
    status: text().$type<StoredEstimateStatus>().notNull().default('draft'),
    currency: text().notNull(),
    discountType: text().$type<'percent' | 'amount'>(),
    discountValue: decimal(),
    /** Percent. */
    taxRate: decimal().notNull().default('0'),
    subtotal: decimal().notNull(),
    discountAmount: decimal().notNull(),
    taxAmount: decimal().notNull(),
    total: decimal().notNull(),
    validUntil: date({ mode: 'string' }),
    notes: text().notNull().default(''),
    revision: integer().notNull().default(1),
    steps: jsonb().$type<ApprovalStep[]>(),
    /** Whether the workflow of this submission lets people approve what they submitted themselves. */
    allowOwn: boolean().notNull().default(false),
    tokenHash: text(),
    tokenEncrypted: text(),
    submittedBy: uuid().references(() => users.id),
    submittedAt: timestamptz(),
    decidedAt: timestamptz(),
    /** Until then a client may take the decision back. */
    finalAt: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('cost_estimates_number_key').on(t.number),
    uniqueIndex('cost_estimates_token_hash_key').on(t.tokenHash),
    index('cost_estimates_project_id_newest_index').on(t.projectId, t.id),
    index('cost_estimates_status_newest_index').on(t.status, t.id),
    // Which estimates name a person in their steps: previewErasure, eraseUser.
    index('cost_estimates_steps_index').using('gin', t.steps.op('jsonb_path_ops')).with({ fastupdate: false }),
    check('cost_estimates_revision', sql`${t.revision} >= 1`),
    check('cost_estimates_discount', sql`(${t.discountType} is null) = (${t.discountValue} is null)`),
    check('cost_estimates_status', isOneOf(t.status, STORED_ESTIMATE_STATUSES)),
  ],
)

export const costEstimateLines = pgTable(
  'cost_estimate_lines',
  {
    id: id(),
    estimateId: uuid()
      .notNull()
      .references(() => costEstimates.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    description: text().notNull(),
    quantity: decimal().notNull(),
    unitPrice: decimal().notNull(),
    amount: decimal().notNull(),
    /** What one of the quantity is, where the service can count it. */
    unit: text().$type<LineUnit>(),
    /** The client may leave it out. */
    isOption: boolean().notNull().default(false),
    isDeclined: boolean().notNull().default(false),
  },
  (t) => [
    uniqueIndex('cost_estimate_lines_position_key').on(t.estimateId, t.position),
    check('cost_estimate_lines_quantity', sql`${t.quantity} > 0`),
  ],
)

/** A revision as it stood when the next one was begun. */
export const costEstimateRevisions = pgTable(
  'cost_estimate_revisions',
  {
    id: id(),
    estimateId: uuid()
      .notNull()
      .references(() => costEstimates.id, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    snapshot: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What is not shown of it, stored for the case that the next revision is discarded. */
    submittedBy: uuid().references(() => users.id),
    allowOwn: boolean().notNull().default(false),
    finalAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('cost_estimate_revisions_revision_key').on(t.estimateId, t.revision)],
)

/** Who decided what, when, about which revision. Rows are only added. */
export const costEstimateDecisions = pgTable(
  'cost_estimate_decisions',
  {
    id: id(),
    estimateId: uuid()
      .notNull()
      .references(() => costEstimates.id, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    side: text().$type<EstimateSide>().notNull(),
    step: text(),
    decision: text().$type<EstimateDecision>().notNull(),
    /** Null: the client, without an account. */
    userId: uuid().references(() => users.id),
    name: text().notNull(),
    comment: text().notNull().default(''),
    address: text(),
    createdAt: createdAt(),
  },
  (t) => [index('cost_estimate_decisions_estimate_id_index').on(t.estimateId, t.id)],
)

/**
 * The last number given in a year, and those that deleted drafts gave back: taken in the transaction that creates the
 * estimate, so that none is missing.
 */
export const costEstimateNumbers = pgTable('cost_estimate_numbers', {
  year: integer().primaryKey(),
  last: integer().notNull(),
  freed: integer().array().notNull().default(sql`'{}'`),
})

/** Who approves inside, in order. One row, or none before it is set up. */
export const approvalWorkflow = pgTable(
  'approval_workflow',
  {
    id: integer().primaryKey().default(1),
    steps: jsonb()
      .$type<{ name: string; role: Role | null; user_id: string | null; above: number | null }[]>()
      .notNull()
      .default([]),
    allowOwn: boolean().notNull().default(false),
    updatedAt: updatedAt(),
  },
  (t) => [check('approval_workflow_single_row', sql`${t.id} = 1`)],
)
