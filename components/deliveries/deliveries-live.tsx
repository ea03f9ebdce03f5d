'use client'

import { RefreshEvery } from '@/components/settings/refresh-every'
import { useLive } from '@/lib/client/use-live'

/** Shows what happens to deliveries without a reload; how far they are, every few seconds while one is under way. */
export function DeliveriesLive({ batchId, isUnderWay }: { batchId: string; isUnderWay: boolean }) {
  useLive({ batchId })
  return isUnderWay ? <RefreshEvery seconds={3} /> : null
}
