// `npm run analytics:rebuild`: computes everything analytics reads of batches anew, from results, files and events, a part at a
// time. Nothing stands still meanwhile, and what analytics answers is exact; it takes longer.
import { closeDatabase } from '@/db/client'
import { foldAnalytics, noteAllBatches } from '@/lib/domain/analytics/notes'
import { inTransaction } from '@/lib/domain/kernel/operation'
import { newContext } from '@/lib/service'

try {
  const ctx = newContext({ actor: { type: 'system', name: 'Greenroom' }, requestId: 'analytics-rebuild' })
  const began = performance.now()
  await inTransaction(ctx, noteAllBatches)
  const batches = await foldAnalytics(ctx)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${batches} batches computed in ${seconds} s. What a worker took meanwhile, it computed.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await closeDatabase()
}
