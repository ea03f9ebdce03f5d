import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { preQcWaiverProposals } from '@/db/schema/pre-qc'
import { forbidden, invalidState, quote } from '../kernel/errors'
import type { Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { mayConfirm } from './queries'
import { isProblem } from './rules'
import type { CheckLine, WaiveCheck } from './schema'

/** What holds for a waiver of one finding as for one of a batch or project. */

/** What a user says of a waiver. */
export type Said = Pick<z.output<typeof WaiveCheck>, 'reason' | 'reason_code'> & { expiresAt: Date | null }

/** @throws `invalid_state` where the check found nothing */
export function assertWaivable({ label, status }: Pick<CheckLine, 'label' | 'status'>): void {
  if (isProblem(status)) return
  throw invalidState(`${quote(label)} is ${status}; there is nothing to waive.`, status, ['fail', 'warning', 'error'])
}

/** Whether the actor may be the second person now. @throws `forbidden`, `invalid_state` */
export function assertConfirmable(
  tx: Tx,
  label: string,
  { createdBy, expiresAt }: { createdBy: string; expiresAt: Date | null },
): void {
  if (!mayConfirm(tx, createdBy))
    throw forbidden('You proposed this waiver: a second person confirms it. Ask another coordinator.')
  if (expiresAt && expiresAt <= tx.now) {
    throw invalidState(
      `The waiver of ${quote(label)} was to end on ${iso(expiresAt)}. Withdraw it, and waive again.`,
      'expired',
      ['proposed'],
    )
  }
}

/** Proposals for findings of a result that are waived now: there is nothing left to confirm. */
export const removeProposals = (tx: Tx, resultId: string, checkIds: readonly string[]) =>
  tx.db
    .delete(preQcWaiverProposals)
    .where(and(eq(preQcWaiverProposals.resultId, resultId), inArray(preQcWaiverProposals.checkId, [...checkIds])))
