'use server'

import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import type { WorkflowValues } from '@/components/settings/workflow-form'
import { updateApprovalWorkflow } from '@/lib/domain/cost-estimates/workflow'
import { requireUser } from '@/lib/http/load'
import { asRefusal } from '@/lib/http/problem'
import { log } from '@/lib/log'
import { newContext } from '@/lib/service'

/** A Server Action, because the interface has no endpoint for settings. Gives null, or why it was refused. */
export async function saveWorkflow(values: WorkflowValues): Promise<{ message: string } | null> {
  const actor = await requireUser()
  const requestId = (await headers()).get('x-request-id') ?? 'settings'
  try {
    await updateApprovalWorkflow.execute(newContext({ actor, requestId }), {}, values)
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'internal') log.error({ request_id: requestId, err: error }, 'unexpected failure')
    return { message: refusal.facts.errors?.map(({ message }) => message).join(' ') || refusal.message }
  }
  revalidatePath('/settings/approval')
  return null
}
