import { networkProblem, type QueueOptions, type Sending } from './queue'
import { RESUMABLE_FROM_BYTES, sendResumable, sendWhole } from './send'

export type Endpoints = {
  /** Takes one multipart request. */
  endpoint: string
  /** Takes large files by resumable uploads (tus). */
  tusEndpoint: string
  /** Takes files to the storage itself; null where they come through the service. */
  directEndpoint: string | null
}

/** Sends files to the storage itself where that can be reached, else through the service. */
export function sendBy({ endpoint, tusEndpoint, directEndpoint }: Endpoints): QueueOptions['send'] {
  let isUnreachable = false
  const sendThrough = (sending: Sending) =>
    sending.item.file.size >= RESUMABLE_FROM_BYTES ? sendResumable(tusEndpoint, sending) : sendWhole(endpoint, sending)
  return async (sending) => {
    if (directEndpoint === null || isUnreachable) return sendThrough(sending)
    const { sendDirect, StorageUnreachable } = await import('./send-direct').catch(() => {
      throw networkProblem()
    })
    try {
      return await sendDirect(directEndpoint, sending)
    } catch (error) {
      if (!(error instanceof StorageUnreachable)) throw error
      isUnreachable = true
      return sendThrough(sending)
    }
  }
}
