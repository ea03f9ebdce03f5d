'use client'

import { useLive } from '@/lib/client/use-live'

/** Shows what others hand over without a reload. */
export function WorkLive() {
  useLive({ ignoresProgress: true })
  return null
}
