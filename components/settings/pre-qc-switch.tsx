'use client'

import { useState, useTransition } from 'react'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Switch } from '@/components/ui/switch'
import { toast } from '@/lib/client/toast'

/** Pre-QC for the whole service. Switching it off affects all users, so it is asked first. */
export function PreQcSwitch({
  isEnabled,
  change,
}: {
  isEnabled: boolean
  /** Gives null, or why it was refused. */
  change: (isEnabled: boolean) => Promise<string | null>
}) {
  const [isPending, start] = useTransition()
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)

  async function save(next: boolean) {
    const refused = await change(next).catch(
      () => 'Greenroom could not be reached. Check your connection, then try again.',
    )
    setRefusal(refused)
    if (refused === null) toast.success(next ? 'Pre-QC is on' : 'Pre-QC is off')
  }

  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Check files when a batch is submitted"
        description="Off: no batch of any media category is checked. Results that are there stay."
        checked={isEnabled}
        disabled={isPending}
        onCheckedChange={(next) => (next ? start(() => save(true)) : setAsking(true))}
      />
      {refusal && <Callout tone="fail">{refusal}</Callout>}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Switch Pre-QC off for the whole service?"
        confirmLabel="Switch off"
        onConfirm={() => save(false)}
      >
        Batches that are submitted from now on go to review unchecked, in every project, until it is switched on again.
      </ConfirmDialog>
    </div>
  )
}
