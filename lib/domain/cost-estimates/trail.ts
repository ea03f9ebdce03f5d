import { newId } from '@/db/schema/columns'
import { costEstimateDecisions } from '@/db/schema/cost-estimates'
import type { EstimateDecision, EstimateSide } from '@/lib/vocabulary'
import { randomBase62 } from '../directory/token-format'
import type { Tx } from '../kernel/operation'
import type { UserActor } from '../kernel/permissions'
import { sha256Hex } from '../kernel/sha256'
import type { EstimateRow } from './find'

/** What is written down of an estimate's way: decisions, events, the client's link. */

export const person = (tx: Tx): UserActor => {
  if (tx.actor.type !== 'user') throw new Error('Cost estimates are handled by people.')
  return tx.actor
}

/** The link a client decides by, made when it is first needed and kept over revisions. */
export function linkFor(tx: Tx, estimate: EstimateRow) {
  if (estimate.tokenHash) return {}
  const token = randomBase62(16)
  return { tokenHash: sha256Hex(token), tokenEncrypted: tx.ports.secrets.encrypt(token) }
}

export async function noteDecision(
  tx: Tx,
  estimate: Pick<EstimateRow, 'id' | 'revision'>,
  side: EstimateSide,
  decision: EstimateDecision,
  by: { id: string | null; name: string },
  more: { step?: string | null; comment?: string } = {},
) {
  await tx.db.insert(costEstimateDecisions).values({
    id: newId(tx.now),
    estimateId: estimate.id,
    revision: estimate.revision,
    side,
    step: more.step ?? null,
    decision,
    userId: by.id,
    name: by.name,
    comment: more.comment ?? '',
    address: tx.address,
    createdAt: tx.now,
  })
}

type EstimateEvent =
  | 'estimate.created'
  | 'estimate.updated'
  | 'estimate.proposed'
  | 'estimate.deleted'
  | 'estimate.submitted'
  | 'estimate.step_approved'
  | 'estimate.approved'
  | 'estimate.rejected'
  | 'estimate.revised'
  | 'estimate.revision_discarded'
  | 'estimate.decision_undone'
  | 'estimate.link_revoked'

export function recordEvent(
  tx: Tx,
  type: EstimateEvent,
  estimate: Pick<EstimateRow, 'id' | 'number' | 'title' | 'projectId'> & { revision?: number },
  data: Record<string, unknown> = {},
) {
  return tx.record({
    type,
    projectId: estimate.projectId,
    subjectId: estimate.id,
    data: { number: estimate.number, title: estimate.title, revision: estimate.revision ?? 1, ...data },
  })
}
