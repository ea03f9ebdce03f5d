'use server'

import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { updateServiceSettings } from '@/lib/domain/settings/commands'
import { requireUser } from '@/lib/http/load'
import { asRefusal } from '@/lib/http/problem'
import { log } from '@/lib/log'
import { newContext } from '@/lib/service'

/**
 * Switches Pre-QC for the whole service. A Server Action, because the interface has no endpoint for it.
 * Returns null, or the sentence that says why it was refused: a thrown one would not reach the browser.
 */
export async function switchPreQc(isEnabled: boolean): Promise<string | null> {
  const actor = await requireUser()
  const requestId = (await headers()).get('x-request-id') ?? 'settings'
  try {
    await updateServiceSettings.execute(newContext({ actor, requestId }), {}, { pre_qc_enabled: isEnabled })
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'internal') log.error({ request_id: requestId, err: error }, 'unexpected failure')
    return refusal.message
  }
  revalidatePath('/settings/service')
  return null
}
