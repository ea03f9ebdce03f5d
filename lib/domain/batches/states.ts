import type { BatchStatus } from '@/lib/vocabulary'
import { invalidState } from '../kernel/errors'

/** The moves a batch can make: action -> from -> to. Screens ask the same table for their buttons. */
export const BATCH_MOVES = {
  submit: { open: 'in_review', awaiting_resupply: 'in_review', approved: 'in_review', in_review: 'in_review' },
  approve: { in_review: 'approved' },
  ask_for_resupply: { in_review: 'awaiting_resupply' },
  cancel: { open: 'cancelled', in_review: 'cancelled', awaiting_resupply: 'cancelled' },
} as const satisfies Record<string, Partial<Record<BatchStatus, BatchStatus>>>
type BatchAction = keyof typeof BATCH_MOVES

export const mayMove = (action: BatchAction, from: BatchStatus) => from in BATCH_MOVES[action]

/** The state after the action. @throws `invalid_state` with the states from which it is possible */
export function move(action: BatchAction, from: BatchStatus): BatchStatus {
  const moves: Partial<Record<BatchStatus, BatchStatus>> = BATCH_MOVES[action]
  const to = moves[from]
  if (to) return to
  const allowed = Object.keys(moves)
  throw invalidState(
    `The batch is ${from}; ${action.replaceAll('_', ' ')} is possible when it is ${allowed.join(' or ')}.`,
    from,
    allowed,
  )
}
