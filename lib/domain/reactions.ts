import type { RecordedEvent } from './kernel/events'
import type { Tx } from './kernel/operation'
import { notifyAbout } from './notifications/notify'

/** When X happened, then Y and Z, in the transaction of X. The only file that wires nouns together. */
export async function react(tx: Tx, event: RecordedEvent) {
  await notifyAbout(tx, event)
}
