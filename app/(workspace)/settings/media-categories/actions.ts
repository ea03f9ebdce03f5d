'use server'

import { headers } from 'next/headers'
import { type Simulation, simulateChecks } from '@/lib/domain/pre-qc/simulate'
import { requireUser } from '@/lib/http/load'
import { asRefusal } from '@/lib/http/problem'
import { log } from '@/lib/log'
import { newContext } from '@/lib/service'

/**
 * Tries checks on the last files of a media category. A Server Action, because Pre-QC settings have no endpoint.
 * Returns the sentence that says why it was refused, where it was: a thrown one would not reach the browser.
 */
export async function simulate(categoryId: string, input: unknown): Promise<Simulation | { refused: string }> {
  const actor = await requireUser()
  const requestId = (await headers()).get('x-request-id') ?? 'settings'
  try {
    return await simulateChecks.execute(newContext({ actor, requestId }), { media_category_id: categoryId }, input)
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'internal') log.error({ request_id: requestId, err: error }, 'unexpected failure')
    return { refused: refusal.message }
  }
}
