import { startWorker } from '@/lib/jobs/worker'

const worker = await startWorker()

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
