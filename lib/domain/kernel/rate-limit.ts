import { eq, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { rateLimits } from '@/db/schema/operations'
import { DomainError } from './errors'

/** `burst` requests at once, then one each `perSeconds / burst` seconds. */
export type Limit = { name: string; burst: number; perSeconds: number }

export const LIMITS = {
  /** Per account: guessing its password. */
  signIn: { name: 'sign-in', burst: 10, perSeconds: 60 },
  /** Per address: guessing over many accounts. An office may share one address. */
  signInAddress: { name: 'sign-in address', burst: 60, perSeconds: 60 },
  /** Per address: guessing the tokens of links. Only wrong ones count. */
  publicLookUp: { name: 'public look-up', burst: 60, perSeconds: 60 },
  /** Per link: guessing its password. */
  linkPassword: { name: 'link password', burst: 10, perSeconds: 60 },
  /** Per address: guessing API tokens. */
  badToken: { name: 'unknown token', burst: 20, perSeconds: 60 },
  /** Per address: asking whether files are approved. */
  verifyFile: { name: 'verify file', burst: 120, perSeconds: 60 },
  /** Per link: what it takes to count a whole agency's files. */
  scorecard: { name: 'scorecard', burst: 30, perSeconds: 60 },
  /** Per user: an integration gone wild. Counted in memory, by each process for itself. */
  api: { name: 'api', burst: 1200, perSeconds: 60 },
} as const satisfies Record<string, Limit>

const isOff = () => process.env.RATE_LIMITS === 'off'

/**
 * Generic cell rate algorithm in one statement, so that it holds over all processes.
 * @throws `rate_limited` with the seconds to wait
 */
export async function takeShared(db: Executor, limit: Limit, subject: string, now: Date) {
  if (isOff()) return
  const step = limit.perSeconds / limit.burst
  const at = now.toISOString()
  const [row] = await db.execute<{ arrival_at: string }>(sql`
    insert into rate_limits as r (key, arrival_at) values (${`${limit.name}:${subject}`}, ${at}::timestamptz + make_interval(secs => ${step}))
    on conflict (key) do update set arrival_at = greatest(r.arrival_at, ${at}::timestamptz) + make_interval(secs => ${step})
    where greatest(r.arrival_at, ${at}::timestamptz) <= ${at}::timestamptz + make_interval(secs => ${limit.perSeconds - step})
    returning arrival_at`)
  if (!row) throw tooMany(limit, Math.ceil(step))
}

/** Looks without taking: for what counts only its failures. @throws `rate_limited` */
export async function assertNotExhausted(db: Executor, limit: Limit, subject: string, now: Date) {
  if (isOff()) return
  const [row] = await db
    .select()
    .from(rateLimits)
    .where(eq(rateLimits.key, `${limit.name}:${subject}`))
  const step = limit.perSeconds / limit.burst
  if (row && row.arrivalAt.getTime() > now.getTime() + (limit.perSeconds - step) * 1000)
    throw tooMany(limit, Math.ceil(step))
}

const arrivals = new Map<string, number>()

/** The same rule in the memory of this process, for what is asked too often to be worth a row. */
export function takeLocal(limit: Limit, subject: string, now: Date) {
  if (isOff()) return
  if (arrivals.size > 10_000) arrivals.clear()
  const step = (limit.perSeconds / limit.burst) * 1000
  const arrival = Math.max(arrivals.get(`${limit.name}:${subject}`) ?? 0, now.getTime())
  if (arrival > now.getTime() + limit.perSeconds * 1000 - step) throw tooMany(limit, Math.ceil(step / 1000))
  arrivals.set(`${limit.name}:${subject}`, arrival + step)
}

function tooMany(limit: Limit, seconds: number) {
  return new DomainError(
    'rate_limited',
    `That was more than ${limit.burst} requests in ${limit.perSeconds} seconds. Wait ${seconds} s and go on more slowly.`,
    {
      retryAfter: seconds,
      headers: {
        'RateLimit-Policy': `"${limit.name}";q=${limit.burst};w=${limit.perSeconds}`,
        RateLimit: `"${limit.name}";r=0;t=${seconds}`,
      },
    },
  )
}
