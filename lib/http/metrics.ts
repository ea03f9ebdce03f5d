import { unauthenticated } from '@/lib/domain/kernel/permissions'
import type { Exchange } from './endpoint'
import { collectProcessMetrics } from './process-metrics.mjs'
import type { RouteResponse } from './response'
import { serviceMetrics } from './service-metrics'

/** What a Prometheus server reads: https://prometheus.io/docs/instrumenting/exposition_formats/, text format 0.0.4. */
export async function metrics({ request, ctx }: Exchange): Promise<RouteResponse> {
  const isLocal = isLoopback(ctx.address) && isForwardedFromLoopback(request.headers.get('x-forwarded-for'))
  if (ctx.actor.type !== 'user' && !isLocal) {
    throw unauthenticated('Metrics are given to this machine, and to callers with an API token.')
  }
  // What the database knows is the same whichever process is asked: a registry of this response alone.
  const { registry, collect } = serviceMetrics()
  const [ofProcesses] = await Promise.all([collectProcessMetrics(), collect(ctx)])
  const texts = [ofProcesses, await registry.metrics()]
  // prom-client puts a blank line between two metrics.
  const body = texts.join('').replace(/\n{2,}/g, '\n')
  return { status: 200, headers: { 'Content-Type': registry.contentType }, body }
}

const isLoopback = (address: string | null) =>
  address !== null && (/^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1')

/** A proxy on this machine brings strangers, too; Next itself notes the address of the connection here. */
const isForwardedFromLoopback = (header: string | null) =>
  header === null || header.split(',').every((address) => isLoopback(address.trim()))
