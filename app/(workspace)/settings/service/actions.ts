'use server'

import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { updateServiceSettings } from '@/lib/domain/settings/commands'
import { requireUser } from '@/lib/http/load'
import { newContext } from '@/lib/service'

/** Switches Pre-QC for the whole service. A Server Action, because the interface has no endpoint for it. */
export async function switchPreQc(isEnabled: boolean) {
  const user = await requireUser()
  const requestId = (await headers()).get('x-request-id') ?? 'settings'
  await updateServiceSettings.execute(newContext({ actor: user, requestId }), {}, { pre_qc_enabled: isEnabled })
  revalidatePath('/settings/service')
}
