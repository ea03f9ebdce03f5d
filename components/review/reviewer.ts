import type { Batch } from '@/lib/domain/batches/schema'
import { can, type UserActor } from '@/lib/domain/kernel/permissions'
import { isClosed } from '@/lib/domain/projects/rules'
import { LABELS, type ProjectStatus } from '@/lib/vocabulary'

/** Who views files, and what they may do with them here and now; the server asks again. */
export type Reviewer = {
  id: string
  mayReview: boolean
  /** Why nothing is decided here, where that is so. */
  whyNot: string | null
  mayComment: boolean
  mayModerate: boolean
  mayDelete: boolean
  mayRerun: boolean
  mayWaive: boolean
  mayWaiveBlocking: boolean
  mayProposeRepair: boolean
  mayDecideRepair: boolean
  /** Version of the media category's settings as they are now. */
  settingsVersion: number
}

/** The same in the review room and on the page of the batch. */
export function reviewerOf(
  user: UserActor,
  project: { status: ProjectStatus },
  batch: Pick<Batch, 'status'>,
  settingsVersion: number,
): Reviewer {
  const isOpen = !isClosed(project.status)
  const isReviewed = batch.status === 'in_review'
  const mayDecide = can(user, 'files.review')
  return {
    id: user.id,
    mayReview: mayDecide && isOpen && isReviewed,
    whyNot: !isOpen
      ? 'The project is closed: nothing is decided any more.'
      : !isReviewed
        ? `The batch is ${LABELS.batchStatus[batch.status].toLowerCase()}: files are decided while it is in review.`
        : mayDecide
          ? null
          : 'You may view and read. Operators decide.',
    mayComment: can(user, 'comments.write') && isOpen && batch.status !== 'cancelled',
    mayModerate: can(user, 'comments.moderate') && isOpen,
    mayDelete: can(user, 'files.delete') && isOpen && batch.status === 'open',
    mayRerun: can(user, 'pre_qc.rerun') && isOpen,
    mayWaive: can(user, 'pre_qc.waive') && isOpen,
    mayWaiveBlocking: can(user, 'pre_qc.waive_blocking'),
    mayProposeRepair: can(user, 'repairs.propose') && isOpen,
    mayDecideRepair: can(user, 'repairs.decide') && isOpen,
    settingsVersion,
  }
}
