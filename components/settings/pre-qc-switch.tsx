'use client'

import { useOptimistic, useTransition } from 'react'
import { toast } from 'sonner'
import { Switch } from '@/components/ui/switch'

/** Pre-QC for the whole service, on or off. */
export function PreQcSwitch({
  isEnabled,
  change,
}: {
  isEnabled: boolean
  change: (isEnabled: boolean) => Promise<void>
}) {
  const [isPending, start] = useTransition()
  const [shown, show] = useOptimistic(isEnabled)
  return (
    <Switch
      label="Check files when a batch is submitted"
      description="Off: no batch of any media category is checked. What was checked before keeps its results."
      checked={shown}
      disabled={isPending}
      onCheckedChange={(next) =>
        start(async () => {
          show(next)
          try {
            await change(next)
            toast.success(next ? 'Pre-QC is on' : 'Pre-QC is off')
          } catch {
            toast.error('That could not be saved. Try again.')
          }
        })
      }
    />
  )
}
