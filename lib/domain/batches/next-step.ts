import type { BatchStatus, ProjectStatus } from '@/lib/vocabulary'
import { LINK_UPLOADS, mayMove } from './rules'

/** The one thing to do next with a batch, and by whom. */
export type NextStep =
  /** Staff: the agency cannot send anything before it has a link. */
  | 'create_link'
  /** The agency: files are to come through a link that works. */
  | 'await_files'
  /** Staff: no operator would review it. */
  | 'assign_operator'
  /** Staff: all that was expected is here. */
  | 'submit'
  /** The operator: files are to be decided. */
  | 'review'
  /** The operator: all are decided. */
  | 'complete_review'
  /** The agency: what was rejected has no new version yet. */
  | 'await_new_versions'
  /** Staff: every rejected file has a new version. */
  | 'submit_again'
  /** Staff: all is approved. */
  | 'deliver'

/** @returns null where nothing is to be done: the batch was cancelled, or its project is not active */
export function nextStepOf(batch: {
  status: BatchStatus
  projectStatus: ProjectStatus
  hasOperator: boolean
  /** An upload link takes files. */
  hasLink: boolean
  files: number
  pending: number
  rejected: number
  /** Names of the manifest, and those under which nothing came. */
  expected: number
  missing: number
}): NextStep | null {
  if (batch.status === 'approved') return 'deliver'
  if (batch.projectStatus !== 'active') return null
  if (batch.status === 'in_review') return batch.pending > 0 ? 'review' : 'complete_review'
  if (!mayMove('submit', batch.status)) return null
  const isResupply = batch.status === 'awaiting_resupply'
  const isComplete = isResupply ? batch.rejected === 0 : batch.files > 0 && batch.missing === 0
  if (!isComplete && LINK_UPLOADS.includes(batch.status)) {
    if (!batch.hasLink) return 'create_link'
    return isResupply ? 'await_new_versions' : 'await_files'
  }
  if (!batch.hasOperator) return 'assign_operator'
  return isResupply ? 'submit_again' : 'submit'
}
