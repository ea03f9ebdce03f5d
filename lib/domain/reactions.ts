import { proposeExtraRound } from './cost-estimates/propose'
import type { EventFact, RecordedEvent } from './kernel/events'
import type { QueuedJob } from './kernel/jobs'
import type { Tx } from './kernel/operation'
import { notifyAbout } from './notifications/notify'
import { queuePlayback } from './playback/queue'
import { queueChecks } from './pre-qc/queue'
import { queueDeliveries } from './webhooks/deliver'

/** When X happened, then Y and Z, in the transaction of X. The only file that wires nouns together. */

/** What every event of its type enqueues: it is known before the event is written, so that one statement writes both. */
export function jobOf({ type, subjectId, projectId }: EventFact): QueuedJob | null {
  if (type !== 'file.received') return null
  return {
    task: 'make_pictures',
    job: { payload: { file_id: subjectId }, key: `make_pictures:${subjectId}` },
    ...(projectId && { options: { inTurnFor: projectId } }),
  }
}

export async function react(tx: Tx, event: RecordedEvent) {
  await notifyAbout(tx, event)
  await queueDeliveries(tx, event)
  switch (event.type) {
    case 'batch.submitted':
      if (event.batchId) await queueChecks(tx, event.batchId)
      await proposeExtraRound(tx, event)
      break
    case 'file.received':
      if (event.subjectId && (event.kind === 'video' || event.kind === 'audio'))
        await queuePlayback(tx, event.subjectId)
      if (event.data.integrity === 'pending')
        await tx.enqueue(
          'finish_integrity',
          { file_id: event.subjectId },
          { key: `finish_integrity:${event.subjectId}`, isUrgent: true },
        )
      break
    case 'file.deleted':
      // Twice: a job that was drawing it may write after the first time.
      for (const minutes of [0, 30])
        await tx.enqueue(
          'remove_objects',
          { file_id: event.subjectId, object_key: event.data.objectKey, sha256: event.data.sha256 },
          { runAt: new Date(tx.now.getTime() + minutes * 60_000) },
        )
      break
  }
}
