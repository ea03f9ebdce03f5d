import { database } from '@/db/client'
import { missingMigrations } from '@/db/migrate'
import { startTelemetry } from '@/lib/adapters/telemetry.mjs'
import { EnvironmentError, env, requireSharedSecret } from '@/lib/env'
import { serviceMetrics } from '@/lib/http/service-metrics'
import { startWorker } from '@/lib/jobs/worker'
import { requireLimits } from '@/lib/sandbox/limits'
import { stepBack } from '@/lib/sandbox/priority'
import { whenStarterIsGone } from './supervisor/parent'
import { endNow } from './workarounds/exit.mjs'

/** Checks take what pages and uploads leave of the processor: the worker and all it starts step back half the way. */
stepBack(process.pid, 10)

try {
  requireSharedSecret(process.env)
  requireLimits()
  if (await missingMigrations(env.DATABASE_DIRECT_URL)) {
    throw new EnvironmentError('The database lacks migrations of this version: run npm run migrate first.')
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
const { registry, collect } = serviceMetrics()
const telemetry = await startTelemetry({
  service: 'greenroom-worker',
  registry,
  collect: () => collect({ db: database().db }),
})
const worker = await startWorker()
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
