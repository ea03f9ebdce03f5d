// `npm run analytics:rebuild`: computes everything analytics reads of batches anew, from results, files and events, a part at a
// time. Nothing stands still meanwhile, and what analytics answers is exact.
import { closeDatabase } from '@/db/client'
import { sumMonths } from '@/lib/domain/analytics/months'
import { rebuildAnalytics } from '@/lib/domain/analytics/notes'
import { newContext } from '@/lib/service'

try {
  const ctx = newContext({ actor: { type: 'system', name: 'Greenroom' }, requestId: 'analytics-rebuild' })
  const began = performance.now()
  const batches = await rebuildAnalytics(ctx)
  const months = await sumMonths(ctx)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${batches} batches computed and ${months} months summed in ${seconds} s.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await closeDatabase()
}
