import { transferFiles } from '@/lib/domain/deliveries/transfer'
import type { Context } from '@/lib/domain/kernel/operation'

const stopping = new AbortController()

/** One attempt of a delivery of files. */
export const deliverFiles = (ctx: Context, payload: { delivery_id: string }) =>
  transferFiles(ctx, payload, stopping.signal)

/** Gives up what is being sent, as it may take hours to end; for a worker that stops. Another one goes on. */
export const stopDelivering = () => stopping.abort(new Error('The worker stops.'))
