import { and, eq, inArray } from 'drizzle-orm'
import { costEstimateLines, costEstimates } from '@/db/schema/cost-estimates'
import { agencies, users } from '@/db/schema/directory'
import { LABELS } from '@/lib/vocabulary'
import { DomainError, invalidField, invalidState, quote } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { iso, isoOrNull } from '../kernel/shapes'
import { assertNotClosed } from '../projects/rules'
import { letterheadOf } from '../settings/letterhead'
import { authenticateClient, byToken, type EstimateInProject } from './find'
import { priceWithout } from './pricing'
import { linesOf, pricedPart } from './queries'
import { isShownToClient, statusOf } from './rules'
import { ClientDecision, ClientEstimate } from './schema'
import { clientSheetOf, contactOf, recordedDecisionOf } from './sheet'
import { noteDecision, recordEvent } from './trail'

/** An estimate as the client sees and decides it, without an account. */

const asClient = { permission: 'anyone', resource: byToken, authenticateAs: authenticateClient } as const

async function present(tx: Tx, { estimate, project }: EstimateInProject): Promise<ClientEstimate> {
  const [agency] = await tx.db.select({ name: agencies.name }).from(agencies).where(eq(agencies.id, project.agencyId))
  const [contact] = await tx.db
    .select({ name: users.name })
    .from(users)
    .where(eq(users.id, contactOf(estimate)))
  const head = await letterheadOf(tx)
  const isDecided = estimate.status === 'approved' || estimate.status === 'rejected'
  const mayUndo = isDecided && estimate.finalAt !== null && estimate.finalAt > tx.now
  return {
    ...pricedPart(estimate, await linesOf(tx, estimate.id), tx.now),
    project: { name: project.name },
    client: agency?.name ?? '',
    sender: {
      name: head.name,
      address: head.address,
      tax_id: head.taxId,
      logo: head.logo ? head.logo.toString('base64') : null,
    },
    terms: head.terms,
    decision: await recordedDecisionOf(tx, estimate),
    undo_until: mayUndo ? isoOrNull(estimate.finalAt) : null,
    contact: { name: contact?.name ?? '' },
  }
}

/** Of what is not shown the page says that a new one is on its way; how far it is inside is not said. */
function assertShown({ estimate }: EstimateInProject) {
  if (isShownToClient(estimate.status, estimate.steps)) return
  throw invalidState('This estimate is being revised. The link shows the new one once it is ready.', 'being_revised', [
    'awaiting_client_approval',
    'approved',
    'rejected',
    'expired',
  ])
}

/** @throws `invalid_state` unless the estimate waits for the client */
function assertWaits({ estimate }: EstimateInProject, now: Date) {
  const status = statusOf(estimate, now)
  if (status === 'awaiting_client_approval') return
  throw invalidState(
    `The estimate ${quote(estimate.number)} is ${LABELS.estimateStatus[status].toLowerCase()}; it can be decided only while it awaits your approval.`,
    status,
    ['awaiting_client_approval'],
  )
}

export const getClientEstimate = query({
  ...asClient,
  name: 'getClientEstimate',
  summary: 'A cost estimate as the client sees it',
  output: ClientEstimate,
  async run(tx, { resource }) {
    assertShown(resource)
    return present(tx, resource)
  },
})

export const decideClientEstimate = command({
  ...asClient,
  name: 'decideClientEstimate',
  summary: "The client's decision: approve, with or without the options, or reject",
  input: ClientDecision,
  output: ClientEstimate,
  async run(tx, { resource, input }) {
    const { estimate, project } = resource
    assertShown(resource)
    assertNotClosed(project)
    assertWaits(resource, tx.now)
    const action = input.decision
    const declined = new Set(action === 'approve' ? (input.declined_line_ids ?? []) : [])
    await assertOptions(tx, estimate.id, declined)
    const { columns } = await priceWithout(tx, estimate, declined)
    if (input.total !== undefined && input.total !== Number(columns.total)) {
      throw invalidField(
        'total',
        'changed',
        `The total is ${columns.total} ${estimate.currency} with this choice, not “${input.total}”. View it again, then decide.`,
      )
    }
    const { undoMinutes } = await letterheadOf(tx)
    const status = action === 'approve' ? 'approved' : 'rejected'
    const next = {
      ...columns,
      status,
      decidedAt: tx.now,
      finalAt: new Date(tx.now.getTime() + undoMinutes * 60_000),
      updatedAt: tx.now,
    } as const
    await tx.db.update(costEstimates).set(next).where(eq(costEstimates.id, estimate.id))
    if (declined.size > 0)
      await tx.db
        .update(costEstimateLines)
        .set({ isDeclined: true })
        .where(and(eq(costEstimateLines.estimateId, estimate.id), inArray(costEstimateLines.id, [...declined])))
    const comment = input.comment ?? ''
    await noteDecision(tx, estimate, 'client', status, { id: null, name: input.name }, { comment })
    await recordEvent(tx, status === 'approved' ? 'estimate.approved' : 'estimate.rejected', estimate, {
      client: input.name,
      comment,
      total: columns.total,
      declined_options: declined.size,
      final_at: iso(next.finalAt),
    })
    return present(tx, { project, estimate: { ...estimate, ...next } })
  },
})

/** @throws `validation_failed` naming the first that is no option of this estimate */
async function assertOptions(tx: Tx, estimateId: string, declined: ReadonlySet<string>) {
  if (declined.size === 0) return
  const lines = await linesOf(tx, estimateId)
  const stranger = [...declined].find((id) => !lines.some((line) => line.id === id && line.isOption))
  if (stranger)
    throw invalidField(
      'declined_line_ids',
      'no_option',
      `declined_line_ids: ${quote(stranger)} is no option of this estimate. Only lines marked as optional can be left out.`,
    )
  if (lines.every(({ id }) => declined.has(id)))
    throw invalidField('declined_line_ids', 'nothing_left', 'Nothing would be left. Reject the estimate instead.')
}

export const undoClientDecision = command({
  ...asClient,
  name: 'undoClientDecision',
  summary: 'Take back what the client decided, while that is still possible',
  output: ClientEstimate,
  async run(tx, { resource }) {
    const { estimate, project } = resource
    assertShown(resource)
    assertNotClosed(project)
    const isDecided = estimate.status === 'approved' || estimate.status === 'rejected'
    if (!isDecided || estimate.finalAt === null || estimate.finalAt <= tx.now) {
      throw new DomainError(
        'invalid_state',
        isDecided && estimate.finalAt
          ? `The decision became final at ${iso(estimate.finalAt)}. Contact the sender of the estimate.`
          : 'There is no decision to take back.',
        { current: statusOf(estimate, tx.now), allowed: ['approved', 'rejected'] },
      )
    }
    const { columns } = await priceWithout(tx, estimate, new Set())
    const next = {
      ...columns,
      status: 'awaiting_client_approval',
      decidedAt: null,
      finalAt: null,
      updatedAt: tx.now,
    } as const
    await tx.db.update(costEstimates).set(next).where(eq(costEstimates.id, estimate.id))
    await tx.db
      .update(costEstimateLines)
      .set({ isDeclined: false })
      .where(eq(costEstimateLines.estimateId, estimate.id))
    await noteDecision(tx, estimate, 'client', 'undone', { id: null, name: 'The client' })
    await recordEvent(tx, 'estimate.decision_undone', estimate, { before: { status: estimate.status } })
    return present(tx, { project, estimate: { ...estimate, ...next } })
  },
})

/** What the client's copy as PDF is made of. */
export const openClientEstimate = query({
  ...asClient,
  name: 'openClientEstimate',
  summary: 'The estimate as PDF',
  async run(tx, { resource }) {
    assertShown(resource)
    const { id, number, title } = resource.estimate
    return { id, number, title, sheet: await clientSheetOf(tx, resource) }
  },
})
