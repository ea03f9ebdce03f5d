import { and, asc, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import {
  costEstimateDecisions,
  costEstimateLines,
  costEstimateRevisions,
  costEstimates,
} from '@/db/schema/cost-estimates'
import { users } from '@/db/schema/directory'
import { projects } from '@/db/schema/projects'
import type { EstimateStatus } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { can } from '../kernel/permissions'
import { isAnyOf, namesById } from '../kernel/rows'
import { dayOf, decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { type EstimateRow, onEstimate, visibleEstimate } from './find'
import { currentStep, mayDecide, statusOf, waitingStep, waitsFor } from './rules'
import {
  Estimate,
  EstimateList,
  EstimateRevisions,
  EstimatesToDecide,
  ListEstimates,
  ListEstimatesToDecide,
} from './schema'
import { person } from './trail'

type LineRow = typeof costEstimateLines.$inferSelect
type DecisionRow = typeof costEstimateDecisions.$inferSelect

/** The projects, creators, lines and decisions of several estimates, by a query for all of each. */
async function withParts(tx: Tx, rows: EstimateRow[]): Promise<Estimate[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const projectOf = await namesById(
    tx,
    projects,
    rows.map(({ projectId }) => projectId),
  )
  const creatorOf = await namesById(
    tx,
    users,
    rows.map(({ createdBy }) => createdBy),
  )
  const lines = await tx.db
    .select()
    .from(costEstimateLines)
    .where(isAnyOf(costEstimateLines.estimateId, ids))
    .orderBy(asc(costEstimateLines.position))
  const decisions = await tx.db
    .select()
    .from(costEstimateDecisions)
    .where(isAnyOf(costEstimateDecisions.estimateId, ids))
    .orderBy(asc(costEstimateDecisions.id))
  const linked = await seenWithLinks(tx, rows)
  const linesOf = groupBy(lines)
  const decisionsOf = groupBy(decisions)
  return rows.flatMap((row) => {
    const { id, projectId, createdBy } = row
    const [project, creator] = [projectOf.get(projectId), creatorOf.get(createdBy)]
    const parts = { lines: linesOf.get(id) ?? [], decisions: decisionsOf.get(id) ?? [] }
    return project && creator
      ? [present(tx, row, { project, creator, showsLink: linked.has(projectId), ...parts })]
      : []
  })
}

/**
 * The projects of the estimates that have a link, where the actor may show it: the holder of the link decides as the client,
 * so it is for those who may record that decision anyway.
 */
async function seenWithLinks(tx: Tx, rows: readonly EstimateRow[]): Promise<Set<string>> {
  const linked = rows.filter(({ tokenEncrypted }) => tokenEncrypted)
  if (linked.length === 0 || !can(tx.actor, 'estimates.manage')) return new Set()
  const ids = linked.map(({ projectId }) => projectId)
  const seen = await tx.db
    .select({ id: projects.id })
    .from(projects)
    .where(and(isAnyOf(projects.id, ids), visibleTo(tx.actor)))
  return new Set(seen.map(({ id }) => id))
}

function groupBy<T extends { estimateId: string }>(rows: T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(row.estimateId, [...(groups.get(row.estimateId) ?? []), row])
  return groups
}

const approvalOf = ({ steps }: EstimateRow) => steps && { steps, current_step: currentStep(steps) }

/** What staff and client see alike. */
export function pricedPart(estimate: EstimateRow, lines: LineRow[], now: Date) {
  return {
    number: estimate.number,
    title: estimate.title,
    status: statusOf(estimate, now),
    currency: estimate.currency,
    line_items: lines.map((line) => ({
      id: line.id,
      description: line.description,
      quantity: Number(line.quantity),
      unit_price: Number(line.unitPrice),
      amount: Number(line.amount),
      unit: line.unit,
      optional: line.isOption,
      declined: line.isDeclined,
    })),
    subtotal: Number(estimate.subtotal),
    discount: estimate.discountType ? { type: estimate.discountType, value: Number(estimate.discountValue) } : null,
    discount_amount: Number(estimate.discountAmount),
    tax_rate: Number(estimate.taxRate),
    tax_amount: Number(estimate.taxAmount),
    total: Number(estimate.total),
    valid_until: estimate.validUntil,
    notes: estimate.notes || null,
    revision: estimate.revision,
  }
}

function present(
  tx: Tx,
  estimate: EstimateRow,
  {
    project,
    creator,
    showsLink,
    lines,
    decisions,
  }: {
    project: Estimate['project']
    creator: Estimate['created_by']
    showsLink: boolean
    lines: LineRow[]
    decisions: DecisionRow[]
  },
): Estimate {
  return {
    id: estimate.id,
    project,
    ...pricedPart(estimate, lines, tx.now),
    approval: approvalOf(estimate),
    client_url:
      estimate.tokenEncrypted && showsLink
        ? `${tx.ports.baseUrl}/e/${tx.ports.secrets.decrypt(estimate.tokenEncrypted)}`
        : null,
    decisions: decisions.map((each) => ({
      decision: each.decision,
      side: each.side,
      step: each.step,
      by: { id: each.userId, name: each.name },
      at: iso(each.createdAt),
      comment: each.comment,
      revision: each.revision,
    })),
    created_by: creator,
    created_at: iso(estimate.createdAt),
    updated_at: iso(estimate.updatedAt),
    submitted_at: isoOrNull(estimate.submittedAt),
    decided_at: isoOrNull(estimate.decidedAt),
  }
}

export const linesOf = (tx: Tx, estimateId: string) =>
  tx.db
    .select()
    .from(costEstimateLines)
    .where(eq(costEstimateLines.estimateId, estimateId))
    .orderBy(asc(costEstimateLines.position))

/** The estimate with everything the interface says of it. */
export async function serializeEstimate(tx: Tx, id: string): Promise<Estimate> {
  const [full] = await withParts(tx, await tx.db.select().from(costEstimates).where(eq(costEstimates.id, id)))
  if (!full) throw new Error(`Cost estimate ${id} vanished while it was read.`)
  return full
}

/** `expired` is not stored; it is asked for as what it is made of. */
function hasStatus(status: EstimateStatus, now: Date): SQL | undefined {
  const waits = inArray(costEstimates.status, ['awaiting_internal_approval', 'awaiting_client_approval'])
  const isOver = sql`coalesce(${costEstimates.validUntil} < ${dayOf(now)}::date, false)`
  if (status === 'expired') return and(waits, isOver)
  const is = eq(costEstimates.status, status)
  return status.startsWith('awaiting') ? and(is, sql`not ${isOver}`) : is
}

export const listEstimates = query({
  name: 'listEstimates',
  summary: 'The cost estimates of the projects you can see, newest first',
  permission: 'estimates.read',
  input: ListEstimates,
  output: EstimateList,
  async run(tx, { input }) {
    const rows = await tx.db
      .select()
      .from(costEstimates)
      .where(
        and(
          visibleEstimate(tx.actor),
          input.project_id ? eq(costEstimates.projectId, input.project_id) : undefined,
          input.status ? hasStatus(input.status, tx.now) : undefined,
          input.cursor ? lt(costEstimates.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(costEstimates.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return { cost_estimates: await withParts(tx, shown), next_cursor }
  },
})

export const getEstimate = query({
  name: 'getEstimate',
  summary: 'One cost estimate with its lines, its approval and who decided what',
  permission: 'estimates.read',
  resource: onEstimate,
  isVersioned: true,
  output: Estimate,
  run: (tx, { resource }) => serializeEstimate(tx, resource.estimate.id),
})

export const listEstimateRevisions = query({
  name: 'listEstimateRevisions',
  summary: 'Every revision of a cost estimate, the one it is now first',
  permission: 'estimates.read',
  resource: onEstimate,
  output: EstimateRevisions,
  async run(tx, { resource }) {
    const stored = await tx.db
      .select({ snapshot: costEstimateRevisions.snapshot })
      .from(costEstimateRevisions)
      .where(eq(costEstimateRevisions.estimateId, resource.estimate.id))
      .orderBy(desc(costEstimateRevisions.revision))
    const now = await serializeEstimate(tx, resource.estimate.id)
    return { revisions: [now, ...stored.map(({ snapshot }) => snapshot as Estimate)], next_cursor: null }
  },
})

const waitingStepOf = (estimate: EstimateRow) =>
  waitingStep({ status: estimate.status, approval: approvalOf(estimate) })

export const listEstimatesToDecide = query({
  name: 'listEstimatesToDecide',
  summary: 'The cost estimates whose approval waits for the current user, the oldest first',
  permission: 'estimates.read',
  input: ListEstimatesToDecide,
  output: EstimatesToDecide,
  async run(tx, { input }) {
    const rows = await tx.db
      .select()
      .from(costEstimates)
      .where(and(visibleEstimate(tx.actor), hasStatus('awaiting_internal_approval', tx.now)))
      .orderBy(asc(costEstimates.submittedAt), asc(costEstimates.id))
    const own = rows.filter((estimate) => {
      const step = waitingStepOf(estimate)
      return step && waitsFor(step, person(tx), estimate)
    })
    return { cost_estimates: await withParts(tx, own.slice(0, input.limit)), count: own.length }
  },
})

/** What to offer a user who reads the estimate; the operations ask again. */
export const getEstimatePowers = query({
  name: 'getEstimatePowers',
  summary: 'What the current user may do with a cost estimate',
  permission: 'estimates.read',
  resource: onEstimate,
  async run(tx, { resource: { estimate, isInside } }) {
    const manages = isInside && can(tx.actor, 'estimates.manage')
    const step = waitingStepOf(estimate)
    return { mayManage: manages, mayDecide: step ? mayDecide(step, person(tx), estimate) : manages }
  },
})
