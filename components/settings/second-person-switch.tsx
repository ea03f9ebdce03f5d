'use client'

import { useState, useTransition } from 'react'
import { Callout } from '@/components/ui/callout'
import { Switch } from '@/components/ui/switch'
import { toast } from '@/lib/client/toast'

/** Whether a waiver of a blocking finding holds only once a second person has confirmed it. */
export function SecondPersonSwitch({
  isRequired,
  change,
}: {
  isRequired: boolean
  /** Gives null, or why it was refused. */
  change: (isRequired: boolean) => Promise<string | null>
}) {
  const [isPending, start] = useTransition()
  const [refusal, setRefusal] = useState<string | null>(null)
  async function save(next: boolean) {
    const refused = await change(next).catch(
      () => 'Greenroom could not be reached. Check your connection, then try again.',
    )
    setRefusal(refused)
    if (refused === null) toast.success(next ? 'Waivers need a second person' : 'Waivers need no second person')
  }
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="A second person confirms waivers of blocking findings"
        description="Until another coordinator or an administrator has confirmed a waiver, its finding counts. Waivers that hold already stay."
        checked={isRequired}
        disabled={isPending}
        onCheckedChange={(next) => start(() => save(next))}
      />
      {refusal && <Callout tone="fail">{refusal}</Callout>}
    </div>
  )
}
