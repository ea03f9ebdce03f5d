import { z } from 'zod'
import { isCurrency } from '@/lib/currencies'
import { formatNumber } from '@/lib/format'
import { ESTIMATE_DECISIONS, ESTIMATE_SIDES, ESTIMATE_STATUSES, LINE_UNITS, ROLES } from '@/lib/vocabulary'
import { quote } from '../kernel/errors'
import { decimalOf, decimalsIn, isBeyond } from '../kernel/money'
import { line, listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'

export const MAX_LINES = 1000
/** Beyond these a price is a slip of the keyboard, and its sums no longer fit a JSON number exactly. */
const MAX_QUANTITY = 1_000_000_000
const MAX_UNIT_PRICE = 1_000_000_000
export const MAX_AMOUNT = 1_000_000_000_000
export const DEFAULT_CURRENCY = 'EUR'

/** A decimal of at most four digits after the point; as text from here on. */
const decimal = (limit: number) =>
  z
    .number()
    .refine((value) => decimalsIn(decimalOf(value) ?? '0') <= 4, 'a number of at most 4 digits after the point')
    .refine((value) => !isBeyond(decimalOf(value) ?? '0', limit), `at most ${formatNumber(limit)}`)

const quantity = decimal(MAX_QUANTITY).refine((value) => value > 0, 'more than 0')
const percent = decimal(100).refine((value) => value >= 0, 'a percentage from 0 to 100')

const LineInput = z.strictObject({
  description: prose(2000).refine((text) => text.length > 0, 'must not be empty'),
  quantity,
  unit_price: decimal(MAX_UNIT_PRICE).describe('Negative for a credit'),
  unit: z.enum(LINE_UNITS).nullish().describe('What one is, where the service counts it: a file or a review round'),
  optional: z.boolean().optional().describe('The client may leave it out'),
})

const DiscountInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('percent'), value: percent }),
  z.strictObject({ type: z.literal('amount'), value: decimal(MAX_AMOUNT).refine((value) => value >= 0, 'at least 0') }),
])

const fields = {
  title: line(200),
  line_items: z.array(LineInput).min(1).max(MAX_LINES),
  currency: z.string().refine(isCurrency, {
    error: ({ input }) => `must be the ISO 4217 code of a currency, such as EUR, USD or JPY; got ${quote(input)}`,
  }),
  discount: DiscountInput.nullable(),
  tax_rate: percent.describe('Percent'),
  valid_until: z.iso.date().nullable().describe('The last day, UTC'),
  notes: prose(5000).nullable(),
}

export const CreateEstimate = z.strictObject({
  project_id: uuid,
  title: fields.title,
  line_items: fields.line_items,
  currency: fields.currency.optional(),
  discount: fields.discount.optional(),
  tax_rate: fields.tax_rate.optional(),
  valid_until: fields.valid_until.optional(),
  notes: fields.notes.optional(),
})
export type CreateEstimate = z.infer<typeof CreateEstimate>

export const UpdateEstimate = CreateEstimate.omit({ project_id: true }).partial()

export const ListEstimates = z.strictObject({
  ...paging,
  project_id: uuid.optional(),
  status: z.enum(ESTIMATE_STATUSES).optional(),
})

export const DecideEstimate = z.strictObject({ comment: prose(5000).nullish() })

const EstimateLine = z.object({
  id: uuid,
  description: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  amount: z.number(),
  unit: z.enum(LINE_UNITS).nullable(),
  optional: z.boolean(),
  declined: z.boolean().describe('An option the client left out; it counts for nothing'),
})

const EstimateApproval = z.object({
  steps: z.array(
    z.object({
      name: z.string(),
      role: z.enum(ROLES).nullable(),
      user: ref.nullable(),
      status: z.enum(['pending', 'approved', 'rejected']),
      by: ref.nullable(),
      at: timestamp.nullable(),
      comment: z.string(),
    }),
  ),
  current_step: z.int().nullable().describe('Which of the steps is waited for, counted from 0'),
})

const priced = {
  number: z.string(),
  title: z.string(),
  status: z.enum(ESTIMATE_STATUSES),
  currency: z.string(),
  line_items: z.array(EstimateLine),
  subtotal: z.number(),
  discount: z.object({ type: z.enum(['percent', 'amount']), value: z.number() }).nullable(),
  discount_amount: z.number(),
  tax_rate: z.number(),
  tax_amount: z.number(),
  total: z.number(),
  valid_until: z.string().nullable(),
  notes: z.string().nullable(),
  revision: z.int(),
}

export const Estimate = z
  .object({
    id: uuid,
    project: ref,
    ...priced,
    approval: EstimateApproval.nullable(),
    client_url: z.string().nullable(),
    decisions: z.array(
      z.object({
        decision: z.enum(ESTIMATE_DECISIONS),
        side: z.enum(ESTIMATE_SIDES),
        step: z.string().nullable(),
        by: z.object({ id: uuid.nullable(), name: z.string() }),
        at: timestamp,
        comment: z.string(),
        revision: z.int(),
      }),
    ),
    created_by: ref,
    created_at: timestamp,
    updated_at: timestamp,
    submitted_at: timestamp.nullable(),
    decided_at: timestamp.nullable(),
  })
  .meta({ id: 'CostEstimate' })
export type Estimate = z.infer<typeof Estimate>

export const EstimateList = listOf('cost_estimates', Estimate).meta({ id: 'CostEstimateList' })

export const ListEstimatesToDecide = z.strictObject({ limit: paging.limit })
export const EstimatesToDecide = z.object({
  cost_estimates: z.array(Estimate),
  count: z.int().min(0).describe('How many there are in all'),
})
export type EstimatesToDecide = z.infer<typeof EstimatesToDecide>
export const EstimateRevisions = listOf('revisions', Estimate).meta({ id: 'CostEstimateRevisions' })

export const ExportEstimate = z.strictObject({
  format: text(20)
    .default('pdf')
    .meta({ enum: ['pdf', 'csv'] }),
})

/** What the client sees. */
export const ClientEstimate = z
  .object({
    ...priced,
    project: z.object({ name: z.string() }),
    client: z.string().describe('The agency the estimate is for'),
    sender: z.object({ name: z.string(), address: z.string(), tax_id: z.string(), logo: z.string().nullable() }),
    terms: z.string(),
    decision: z
      .object({ decision: z.enum(['approved', 'rejected']), name: z.string(), comment: z.string(), at: timestamp })
      .nullable(),
    undo_until: timestamp.nullable(),
    contact: z.object({ name: z.string() }),
  })
  .meta({ id: 'ClientEstimate' })
export type ClientEstimate = z.infer<typeof ClientEstimate>

export const ClientDecision = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  name: line(200).describe('Who decides'),
  comment: prose(5000).nullish(),
  declined_line_ids: z.array(uuid).max(MAX_LINES).optional().describe('Options that are left out'),
  total: z.number().optional().describe('The total the client saw; another one is refused'),
})

export const ApprovalWorkflow = z
  .object({
    steps: z.array(
      z.object({
        name: z.string(),
        role: z.enum(ROLES).nullable(),
        user: ref.nullable(),
        above: z.number().nullable(),
      }),
    ),
    allow_own: z.boolean(),
  })
  .meta({ id: 'ApprovalWorkflow' })
export type ApprovalWorkflow = z.infer<typeof ApprovalWorkflow>

export const UpdateApprovalWorkflow = z.strictObject({
  steps: z
    .array(
      z
        .strictObject({
          name: line(100),
          role: z.enum(ROLES).nullish(),
          user_id: uuid.nullish(),
          above: z
            .number()
            .min(0)
            .max(MAX_AMOUNT)
            .nullish()
            .describe('Only for totals above this, in EUR; estimates in other currencies always take the step'),
        })
        .refine((step) => (step.role == null) !== (step.user_id == null), 'either a role or a person'),
    )
    .max(10),
  allow_own: z.boolean(),
})

/** The steps a draft would go through; `takers` are those who can take each, as words. */
export const EstimateRoute = z.object({
  steps: z.array(z.object({ name: z.string(), takers: z.string(), problem: z.string().nullable() })),
})
export type EstimateRoute = z.infer<typeof EstimateRoute>
