import { startWorker } from '@/lib/jobs/worker'
import { stepBack } from '@/lib/sandbox/priority'

/** Checks take what pages and uploads leave of the processor: the worker and all it starts step back half the way. */
stepBack(process.pid, 10)

const worker = await startWorker()
process.send?.({ ready: true })

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  await worker.stop()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// The supervisor is gone without a word; its jobs are taken up again by the next worker.
process.once('disconnect', () => process.exit(1))
