'use server'

import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import type { LetterheadValues, Refusal } from '@/components/settings/letterhead-form'
import type { Context } from '@/lib/domain/kernel/operation'
import { replaceLogo, updateLetterhead } from '@/lib/domain/settings/letterhead'
import { requireUser } from '@/lib/http/load'
import { asRefusal } from '@/lib/http/problem'
import { log } from '@/lib/log'
import { newContext } from '@/lib/service'

/** Server Actions, because the interface has no endpoint for settings. Each gives null, or why it was refused. */

export async function saveLetterhead(values: LetterheadValues): Promise<Refusal | null> {
  return attempt((ctx) => updateLetterhead.execute(ctx, {}, values))
}

/** `form` holds the file as `image`; without one the logo is removed. */
export async function saveLogo(form: FormData): Promise<Refusal | null> {
  const file = form.get('image')
  return attempt(async (ctx) => {
    const image =
      file instanceof File
        ? {
            bytes: new Uint8Array(await file.arrayBuffer()),
            extension: (file.name.split('.').pop() ?? '').slice(0, 10),
          }
        : null
    return replaceLogo.execute(ctx, {}, { image })
  })
}

async function attempt(write: (ctx: Context) => Promise<unknown>): Promise<Refusal | null> {
  const actor = await requireUser()
  const requestId = (await headers()).get('x-request-id') ?? 'settings'
  try {
    await write(newContext({ actor, requestId }))
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'internal') log.error({ request_id: requestId, err: error }, 'unexpected failure')
    return {
      message: refusal.message,
      errors: (refusal.facts.errors ?? []).map(({ path, message }) => ({ path, message })),
    }
  }
  revalidatePath('/settings/letterhead')
  return null
}
