'use server'

import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { updateServiceSettings } from '@/lib/domain/settings/commands'
import { requireUser } from '@/lib/http/load'
import { asRefusal } from '@/lib/http/problem'
import { log } from '@/lib/log'
import { newContext } from '@/lib/service'

/** Switches Pre-QC for the whole service. Returns null, or the sentence that says why it was refused. */
export async function switchPreQc(isEnabled: boolean): Promise<string | null> {
  return change({ pre_qc_enabled: isEnabled })
}

/** Whether waivers of blocking findings wait for a second person. Returns as `switchPreQc` does. */
export async function requireSecondPerson(isRequired: boolean): Promise<string | null> {
  return change({ waivers_need_second: isRequired })
}

/** Server Actions, because the interface has no endpoint for these settings: a thrown refusal would not reach the browser. */
async function change(input: { pre_qc_enabled?: boolean; waivers_need_second?: boolean }): Promise<string | null> {
  const actor = await requireUser()
  const requestId = (await headers()).get('x-request-id') ?? 'settings'
  try {
    await updateServiceSettings.execute(newContext({ actor, requestId }), {}, input)
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'internal') log.error({ request_id: requestId, err: error }, 'unexpected failure')
    return refusal.message
  }
  revalidatePath('/settings/service')
  return null
}
