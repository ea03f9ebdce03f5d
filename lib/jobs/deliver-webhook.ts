import type { Context } from '@/lib/domain/kernel/operation'
import { claimDelivery, finishDelivery } from '@/lib/domain/webhooks/deliver'
import { messageId, signedHeaders } from '@/lib/domain/webhooks/rules'

/** One attempt of a delivery. The request runs between two short transactions, never inside one. */
export async function deliverWebhook(ctx: Context, { delivery_id }: { delivery_id: string }) {
  const taken = await claimDelivery(ctx, delivery_id)
  if (!taken) return
  const response = await ctx.ports.webhooks.post({
    url: taken.url,
    headers: signedHeaders(messageId(taken.id), ctx.now, taken.payload, taken.secrets),
    body: taken.payload,
  })
  const now = new Date(ctx.now.getTime() + response.durationMs)
  await finishDelivery({ ...ctx, now }, taken, response, Math.random())
}
