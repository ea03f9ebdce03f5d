import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { newId } from '@/db/schema/columns'
import { costEstimateLines, costEstimates } from '@/db/schema/cost-estimates'
import { invalidField } from '../kernel/errors'
import { command } from '../kernel/operation'
import { allow } from '../kernel/permissions'
import { dayOf } from '../kernel/shapes'
import { findProject } from '../projects/find'
import { assertNotHeld } from '../projects/holds'
import { assertNotClosed } from '../projects/rules'
import { assertEveryStepCanBeTaken } from './approvers'
import { onOwnEstimate } from './find'
import { giveBackNumber, pricesOf, storedDiscount, storedLines, takeNumber, writeLines } from './pricing'
import { serializeEstimate } from './queries'
import { discardRevision, storeRevision } from './revisions'
import { assertPossible, statusOf, stepsFor, waitingStep } from './rules'
import { CreateEstimate, DEFAULT_CURRENCY, Estimate, UpdateEstimate } from './schema'
import { linkFor, noteDecision, person, recordEvent } from './trail'
import { workflowOf } from './workflow'

export const createEstimate = command({
  name: 'createEstimate',
  summary: 'Create a cost estimate as a draft',
  // The project is named in the body, so it has to be found before the role can be validated.
  permission: 'estimates.read',
  laterPermission: 'estimates.manage',
  input: CreateEstimate,
  output: Estimate,
  created: (estimate) => `/api/cost-estimates/${estimate.id}`,
  async run(tx, { input }) {
    const actor = person(tx)
    const project = await findProject(tx, input.project_id, 'share')
    allow(tx.actor, 'estimates.manage')
    assertNotClosed(project)
    const { columns, lines } = pricesOf({
      ...input,
      currency: input.currency ?? DEFAULT_CURRENCY,
      tax_rate: input.tax_rate ?? 0,
    })
    const id = newId(tx.now)
    const number = await takeNumber(tx)
    await tx.db.insert(costEstimates).values({
      id,
      number,
      projectId: project.id,
      title: input.title,
      ...columns,
      validUntil: input.valid_until ?? null,
      notes: input.notes ?? '',
      createdBy: actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await writeLines(tx, id, lines)
    await recordEvent(
      tx,
      'estimate.created',
      { id, number, title: input.title, projectId: project.id },
      { total: columns.total },
    )
    return serializeEstimate(tx, id)
  },
})

export const updateEstimate = command({
  name: 'updateEstimate',
  summary: 'Change a draft: title, lines, currency, discount, tax, validity, notes',
  permission: 'estimates.manage',
  resource: onOwnEstimate,
  input: UpdateEstimate,
  output: Estimate,
  conditional: (tx, { estimate }) => serializeEstimate(tx, estimate.id),
  async run(tx, { resource: { estimate, project }, input }) {
    assertNotClosed(project)
    assertPossible('change', estimate.number, statusOf(estimate, tx.now))
    const { columns, lines } = pricesOf({
      line_items: input.line_items ?? (await storedLines(tx, estimate.id)),
      currency: input.currency ?? estimate.currency,
      discount: input.discount === undefined ? storedDiscount(estimate) : input.discount,
      tax_rate: input.tax_rate ?? Number(estimate.taxRate),
    })
    await tx.db
      .update(costEstimates)
      .set({
        ...columns,
        title: input.title ?? estimate.title,
        validUntil: input.valid_until === undefined ? estimate.validUntil : input.valid_until,
        notes: input.notes === undefined ? estimate.notes : (input.notes ?? ''),
        updatedAt: tx.now,
      })
      .where(eq(costEstimates.id, estimate.id))
    await writeLines(tx, estimate.id, lines)
    await recordEvent(tx, 'estimate.updated', estimate, {
      before: { title: estimate.title, total: estimate.total },
      after: { title: input.title ?? estimate.title, total: columns.total },
    })
    return serializeEstimate(tx, estimate.id)
  },
})

export const deleteEstimate = command({
  name: 'deleteEstimate',
  summary: 'Delete a draft; where there is a revision before it, that one stands again as it was',
  permission: 'estimates.manage',
  resource: onOwnEstimate,
  output: z.object({
    deleted: z.literal(true),
    restored: Estimate.nullable().describe('The estimate as it stands again; null when nothing of it is left'),
  }),
  conditional: (tx, { estimate }) => serializeEstimate(tx, estimate.id),
  async run(tx, { resource: { estimate, project } }) {
    const actor = person(tx)
    assertNotClosed(project)
    assertPossible('delete', estimate.number, statusOf(estimate, tx.now))
    await assertNotHeld(tx, project)
    // Others know it by its number and its decisions are on record: only the draft goes, never the estimate.
    if (estimate.revision > 1) {
      await discardRevision(tx, estimate)
      await noteDecision(tx, estimate, 'internal', 'discarded', actor)
      const restored = await serializeEstimate(tx, estimate.id)
      await recordEvent(tx, 'estimate.revision_discarded', estimate, {
        stands_again: restored.revision,
        waits_for: waitingStep(restored)?.name ?? null,
        next: waitingStep(restored),
        before: { title: estimate.title, status: estimate.status, total: estimate.total },
        after: { title: restored.title, status: restored.status, total: restored.total },
      })
      return { deleted: true as const, restored }
    }
    await tx.db.delete(costEstimates).where(eq(costEstimates.id, estimate.id))
    await giveBackNumber(tx, estimate.number)
    await recordEvent(tx, 'estimate.deleted', estimate)
    return { deleted: true as const, restored: null }
  },
})

export const submitEstimate = command({
  name: 'submitEstimate',
  summary: 'Submit a draft: to the approval workflow where there is one, else to the client',
  permission: 'estimates.manage',
  resource: onOwnEstimate,
  output: Estimate,
  async run(tx, { resource: { estimate, project } }) {
    const actor = person(tx)
    assertNotClosed(project)
    assertPossible('submit', estimate.number, statusOf(estimate, tx.now))
    if (estimate.validUntil !== null && estimate.validUntil < dayOf(tx.now)) {
      throw invalidField(
        'valid_until',
        'past',
        `The estimate was valid until “${estimate.validUntil}”, which has passed. Set a later day, then submit it.`,
      )
    }
    const workflow = await workflowOf(tx)
    const steps = stepsFor(workflow.steps, estimate)
    const own = { createdBy: estimate.createdBy, submittedBy: actor.id, allowOwn: workflow.allow_own }
    await assertEveryStepCanBeTaken(tx, steps ?? [], own)
    await tx.db
      .update(costEstimates)
      .set({
        status: steps ? 'awaiting_internal_approval' : 'awaiting_client_approval',
        steps,
        allowOwn: workflow.allow_own,
        submittedBy: actor.id,
        submittedAt: tx.now,
        decidedAt: null,
        finalAt: null,
        updatedAt: tx.now,
        ...(steps ? {} : linkFor(tx, estimate)),
      })
      .where(eq(costEstimates.id, estimate.id))
    await noteDecision(tx, estimate, 'internal', 'submitted', actor)
    await recordEvent(tx, 'estimate.submitted', estimate, {
      waits_for: steps?.[0]?.name ?? 'the client',
      next: steps?.[0] ?? null,
    })
    return serializeEstimate(tx, estimate.id)
  },
})

export const reviseEstimate = command({
  name: 'reviseEstimate',
  summary: 'Begin the next revision of an estimate that is waiting, rejected or expired; the old one is kept',
  permission: 'estimates.manage',
  resource: onOwnEstimate,
  output: Estimate,
  async run(tx, { resource: { estimate, project } }) {
    const actor = person(tx)
    assertNotClosed(project)
    assertPossible('revise', estimate.number, statusOf(estimate, tx.now))
    await storeRevision(tx, estimate)
    await noteDecision(tx, estimate, 'internal', 'revised', actor)
    await tx.db
      .update(costEstimates)
      .set({
        status: 'draft',
        revision: estimate.revision + 1,
        steps: null,
        submittedAt: null,
        submittedBy: null,
        decidedAt: null,
        finalAt: null,
        updatedAt: tx.now,
      })
      .where(eq(costEstimates.id, estimate.id))
    await tx.db
      .update(costEstimateLines)
      .set({ isDeclined: false })
      .where(eq(costEstimateLines.estimateId, estimate.id))
    await recordEvent(tx, 'estimate.revised', estimate, { revision: estimate.revision + 1 })
    return serializeEstimate(tx, estimate.id)
  },
})

export const revokeEstimateLink = command({
  name: 'revokeEstimateLink',
  summary: "Revoke the client's link at once; a new one is made with the next submission",
  permission: 'estimates.manage',
  resource: onOwnEstimate,
  output: Estimate,
  async run(tx, { resource: { estimate } }) {
    if (estimate.tokenHash) {
      await tx.db
        .update(costEstimates)
        .set({ tokenHash: null, tokenEncrypted: null, updatedAt: tx.now })
        .where(eq(costEstimates.id, estimate.id))
      await recordEvent(tx, 'estimate.link_revoked', estimate)
    }
    return serializeEstimate(tx, estimate.id)
  },
})
