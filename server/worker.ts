import { database } from '@/db/client'
import { missingMigrations } from '@/db/migrate'
import { startTelemetry } from '@/lib/adapters/telemetry.mjs'
import { isUnavailable } from '@/lib/domain/kernel/database-errors'
import { EnvironmentError, env, requireSharedSecret } from '@/lib/env'
import { serviceMetrics } from '@/lib/http/service-metrics'
import { startWorker } from '@/lib/jobs/worker'
import { requireLimits } from '@/lib/sandbox/limits'
import { stepBack } from '@/lib/sandbox/priority'
import { whenStarterIsGone } from './supervisor/parent'
import { endNow } from './workarounds/exit.mjs'

/** Checks take what pages and uploads leave of the processor: the worker and all it starts step back half the way. */
stepBack(process.pid, 10)

// The queue's own connections report some losses to no caller. A new worker takes up the jobs of this one.
process.on('uncaughtException', end)
try {
  requireSharedSecret(process.env)
  requireLimits()
  if (await missingMigrations(env.DATABASE_DIRECT_URL)) {
    throw new EnvironmentError('The database lacks migrations of this version: run npm run migrate first.')
  }
} catch (error) {
  end(error)
}
const { registry, collect } = serviceMetrics()
const telemetry = await startTelemetry({
  service: 'greenroom-worker',
  registry,
  collect: () => collect({ db: database().db }),
})
const worker = await startWorker().catch(end)
process.send?.({ ready: true })

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  await worker.stop()
  await telemetry?.stop()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// The supervisor was killed; its jobs are taken up again by the next worker.
process.once('disconnect', endNow)
// Without one, npm may have started it (`npm run worker`), and ends without passing a signal on.
if (!process.send) whenStarterIsGone(stop)

/** Ends with one sentence where PostgreSQL or a setting is the reason, else with all that is known. */
function end(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exit(1)
}

function reasonOf(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? error.cause : error
  // What pg says of a connection that closed has no code.
  if (isUnavailable(error) || error.message.startsWith('Connection terminated'))
    return `The worker ends: PostgreSQL cannot be reached (${cause.message || (cause as NodeJS.ErrnoException).code}). Start it again; systemd, Kubernetes and npm start do so by themselves.`
  return error.stack ?? error.message
}
