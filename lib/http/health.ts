import { access, constants } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { DomainError } from '@/lib/domain/kernel/errors'
import { env } from '@/lib/env'
import { type Exchange, respond } from './endpoint'

/** A worker says every few seconds that it lives; after this long without a word it counts as gone. */
const SILENT_AFTER_SECONDS = 60

/** The process answers. That is all this says: a process whose database is away must not be killed for it. */
export async function live(): Promise<Response> {
  return respond(200, { status: 'live' })
}

/**
 * Whether requests can be served: the database answers and the data folder can be written to, else 503 naming what
 * fails. A silent worker is told, but refuses nothing: uploads are taken and wait for it.
 */
export async function ready({ ctx }: Exchange): Promise<Response> {
  const storage = await attempt(() => access(env.DATA_DIR, constants.W_OK))
  let worker = 'silent'
  const database = await attempt(async () => {
    const [row] = await ctx.db.execute<{ alive: boolean }>(
      sql`select exists (select from workers
          where heartbeat_at > now() - ${SILENT_AFTER_SECONDS} * interval '1 second') as alive`,
    )
    if (row?.alive) worker = 'ok'
  })
  const failing = [database ? [] : ['the database'], storage ? [] : ['the file storage']].flat()
  if (failing.length === 0) return respond(200, { status: 'ready', database: 'ok', storage: 'ok', worker })
  throw new DomainError('unavailable', `The service is not ready: ${failing.join(' and ')} cannot be reached.`, {
    retryAfter: 5,
  })
}

async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch {
    return false
  }
}
