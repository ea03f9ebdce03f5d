import { count, gt, sql } from 'drizzle-orm'
import { workers } from '@/db/schema/operations'
import { providerProblem } from '@/lib/adapters/identity-provider'
import { type BlobStore, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { DomainError, type FieldError } from '@/lib/domain/kernel/errors'
import { WORKER_SILENT_MS } from '@/lib/domain/kernel/jobs'
import type { Context } from '@/lib/domain/kernel/operation'
import { sharedLookup } from '@/lib/domain/kernel/shared-lookup'
import { env } from '@/lib/env'
import { sandboxLimits } from '@/lib/sandbox/limits'
import { type Exchange, respond } from './endpoint'
import type { RouteResponse } from './response'

/** A part that has not responded by then is as good as gone. */
const TIMEOUT_MS = 5_000

/** The process runs and responds; nothing else is asked. */
export const live = async (): Promise<RouteResponse> => respond(200, { status: 'ok' })

type Part = { name: string; check(ctx: Context): Promise<string> }

/** Anybody may ask, and every proof writes an object: a caller who asks while one is made shares the next. */
function proven(blobs: BlobStore): Promise<void> {
  const prove = proofs.get(blobs) ?? sharedLookup(() => blobs.prove())
  proofs.set(blobs, prove)
  return prove('')
}
const proofs = new WeakMap<BlobStore, (key: string) => Promise<void>>()

const PARTS: readonly Part[] = [
  {
    name: 'database',
    async check({ db }) {
      await db.execute(sql`select 1`)
      return 'ok'
    },
  },
  {
    name: 'storage',
    async check({ ports }) {
      await proven(ports.blobs)
      return 'ok'
    },
  },
  {
    name: 'worker',
    async check({ db, now }) {
      const since = new Date(now.getTime() - WORKER_SILENT_MS)
      const [alive] = await db.select({ workers: count() }).from(workers).where(gt(workers.heartbeatAt, since))
      if (alive?.workers) return 'ok'
      // An administrator who switched the worker off here runs it elsewhere, or does not want one now: uploads still work.
      if (env.WORKER === 'off') return 'off'
      throw new Error(`no worker gave a sign of life in the last ${WORKER_SILENT_MS / 1000} s`)
    },
  },
]

/** How files come in, as it was found out at the start; no reason to be unready. */
const UPLOADS: Part = {
  name: 'uploads',
  check: async ({ ports }) => (ports.files.takesDirectUploads ? 'direct' : 'server'),
}

/** Reported, and no reason to be unready: who has a password signs in, and everything else works. */
const IDENTITY_PROVIDER: Part = {
  name: 'identity_provider',
  async check() {
    const problem = await providerProblem(env.AUTH_OIDC_ISSUER ?? '')
    return problem ? `unreachable: ${problem}` : 'ok'
  },
}

/** No reason to be unready, either: who wants it to be one sets SANDBOX=strict. */
const SANDBOX: Part = {
  name: 'sandbox',
  async check() {
    const missing = sandboxLimits().filter(({ isInForce }) => !isInForce)
    return missing.length === 0 ? 'ok' : `without ${missing.map(({ what }) => what).join('; ')}`
  },
}

/** How each part stands: a word for what it is, or why it cannot do its work. */
export async function readiness(ctx: Context): Promise<{ name: string; state: string; problem: string | null }[]> {
  const parts = [...PARTS, UPLOADS, SANDBOX, ...(env.AUTH_OIDC_ISSUER ? [IDENTITY_PROVIDER] : [])]
  const outcomes = await Promise.allSettled(parts.map((part) => inTime(part.check(ctx))))
  return parts.map(({ name }, index) => {
    const outcome = outcomes[index]
    return outcome?.status === 'fulfilled'
      ? { name, state: outcome.value, problem: null }
      : { name, state: 'unavailable', problem: reasonOf(outcome?.reason) }
  })
}

/**
 * Whether the service can do its work: database, storage, worker.
 * @throws `unavailable` with one entry of `errors` for each part that cannot
 */
export async function ready({ ctx }: Exchange): Promise<RouteResponse> {
  const parts = await readiness(ctx)
  const errors = parts.flatMap(({ name, problem }): FieldError[] =>
    problem === null ? [] : [{ path: name, code: 'unavailable', message: problem }],
  )
  if (errors.length > 0) {
    const detail = errors.map(({ path, message }) => `The ${path} is not ready: ${message}.`).join(' ')
    throw new DomainError('unavailable', detail, { errors, retryAfter: 5 })
  }
  return respond(200, { status: 'ok', checks: Object.fromEntries(parts.map(({ name, state }) => [name, state])) })
}

/** What an operator of the server can act on, by the reason of the fault. */
const STORAGE_PROBLEMS: Record<string, string> = {
  full: 'it is full; free some space on its disk',
  forbidden: 'it may not be written to',
  read_only: 'it is mounted read-only',
}

/** The reason in a few words that name no host, path or query: anybody may ask. */
function reasonOf(reason: unknown): string {
  if (!(reason instanceof Error)) return 'it failed'
  const known = reason instanceof StorageUnavailable ? STORAGE_PROBLEMS[reason.reason] : undefined
  if (known) return known
  const code = codeOf(reason)
  if (code) return `it responds with ${code}`
  return reason.message.startsWith('no ') ? reason.message : 'it failed'
}

function codeOf(reason: Error): string | null {
  for (let error: unknown = reason; error instanceof Error; error = error.cause) {
    if ('reason' in error && typeof error.reason === 'string') return error.reason
    if ('code' in error && typeof error.code === 'string') return error.code
  }
  return null
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
