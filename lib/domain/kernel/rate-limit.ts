import { eq, sql } from 'drizzle-orm'
import { rateLimits } from '@/db/schema/operations'
import { DomainError } from './errors'
import { type Context, reading, type Tx } from './operation'
import type { InstantPorts } from './ports'

/** `burst` requests at once, then one each `perSeconds / burst` seconds. */
export type Limit = { name: string; burst: number; perSeconds: number }

export const LIMITS = {
  /** Per account and address: guessing its password. Only wrong ones count, so that no attacker locks an account by its name. */
  signIn: { name: 'sign-in', burst: 10, perSeconds: 60 },
  /** Per account: guessing its password from many addresses. */
  signInAccount: { name: 'sign-in account', burst: 60, perSeconds: 60 },
  /** Per address: guessing over many accounts. An office may share one address. */
  signInAddress: { name: 'sign-in address', burst: 60, perSeconds: 60 },
  /** Per address: guessing the tokens of links. Who has a good one is not held up by the guesses of a neighbour. */
  unknownLink: { name: 'unknown link', burst: 60, perSeconds: 60 },
  /** Per link and address: the holder of a good link. Counted in memory, by each process for itself. */
  knownLink: { name: 'link', burst: 3000, perSeconds: 60 },
  /** Per link and address: guessing its password. Only wrong ones count. */
  linkPassword: { name: 'link password', burst: 10, perSeconds: 60 },
  /** Per address: asking for a link to a new password. */
  passwordReset: { name: 'password reset', burst: 20, perSeconds: 3600 },
  /** Per e-mail address, whether it is known or not: filling a user's mailbox. */
  passwordResetMail: { name: 'password reset mail', burst: 5, perSeconds: 3600 },
  /** Per address: guessing API tokens. */
  badToken: { name: 'unknown token', burst: 20, perSeconds: 60 },
  /** Per address: asking whether files are approved. */
  verifyFile: { name: 'verify file', burst: 120, perSeconds: 60 },
  /** Per link and address: what it takes to count a whole agency's files. */
  scorecard: { name: 'scorecard', burst: 30, perSeconds: 60 },
  /** Per review link: what its holder writes. */
  guestWrites: { name: 'review link writes', burst: 60, perSeconds: 60 },
  /** Per link: images of which its holder has tiles made, which takes the worker minutes and the store room. */
  linkTiles: { name: 'link tiles', burst: 60, perSeconds: 3600 },
  /** Per user: an integration gone wild. Counted in memory, by each process for itself. */
  api: { name: 'api', burst: 1200, perSeconds: 60 },
} as const satisfies Record<string, Limit>

/** What counting needs. The pool, never the transaction of a command: what is counted stays counted when it is refused. */
type Counting = Pick<Tx, 'pool' | 'now'> & { ports: Pick<InstantPorts, 'limitsRates'> }

/**
 * Generic cell rate algorithm in one statement, so that it holds over all processes.
 * @throws `rate_limited` with the seconds to wait
 */
export async function takeShared({ pool, now, ports }: Counting, limit: Limit, subject: string) {
  if (!ports.limitsRates) return
  const step = limit.perSeconds / limit.burst
  const at = now.toISOString()
  const [row] = await pool.execute<{ arrival_at: string }>(sql`
    insert into rate_limits as r (key, arrival_at) values (${`${limit.name}:${subject}`}, ${at}::timestamptz + make_interval(secs => ${step}))
    on conflict (key) do update set arrival_at = greatest(r.arrival_at, ${at}::timestamptz) + make_interval(secs => ${step})
    where greatest(r.arrival_at, ${at}::timestamptz) <= ${at}::timestamptz + make_interval(secs => ${limit.perSeconds - step})
    returning arrival_at`)
  if (row) return
  const [taken] = await pool
    .select()
    .from(rateLimits)
    .where(eq(rateLimits.key, `${limit.name}:${subject}`))
  throw tooMany(limit, secondsLeft(limit, taken?.arrivalAt.getTime() ?? 0, now))
}

/** Gives back what `takeShared` took: for what counts only its failures, and must be counted before it is known to fail. */
export async function giveBack({ pool, ports }: Counting, limit: Limit, subject: string) {
  if (!ports.limitsRates) return
  await pool
    .update(rateLimits)
    .set({ arrivalAt: sql`${rateLimits.arrivalAt} - make_interval(secs => ${limit.perSeconds / limit.burst})` })
    .where(eq(rateLimits.key, `${limit.name}:${subject}`))
}

/** Whole seconds until one more is taken, at least one. `arrival` in milliseconds. */
function secondsLeft(limit: Limit, arrival: number, now: Date) {
  const free = arrival - (limit.perSeconds - limit.perSeconds / limit.burst) * 1000
  return Math.max(1, Math.ceil((free - now.getTime()) / 1000))
}

/**
 * Finds what the token in a path names, for its holder. Unknown tokens are counted by address, good ones by link
 * and address: the guesses of one never use up what the others have.
 * @throws `not_found`, `rate_limited`
 */
export async function findByLink<T>(ctx: Context, find: () => Promise<T>, idOf: (found: T) => string): Promise<T> {
  const address = ctx.address ?? 'unknown'
  const tx = reading(ctx)
  const found = await find().catch(async (error) => {
    if (error instanceof DomainError) await takeShared(tx, LIMITS.unknownLink, address)
    throw error
  })
  takeLocal(tx, LIMITS.knownLink, `${idOf(found)}:${address}`)
  return found
}

const arrivals = new Map<string, number>()

/** The same rule in the memory of this process, for what is asked too often to be worth a row. */
export function takeLocal({ now, ports }: Omit<Counting, 'pool'>, limit: Limit, subject: string) {
  if (!ports.limitsRates) return
  if (arrivals.size > 10_000) arrivals.clear()
  const step = (limit.perSeconds / limit.burst) * 1000
  const arrival = Math.max(arrivals.get(`${limit.name}:${subject}`) ?? 0, now.getTime())
  if (arrival > now.getTime() + limit.perSeconds * 1000 - step) throw tooMany(limit, secondsLeft(limit, arrival, now))
  arrivals.set(`${limit.name}:${subject}`, arrival + step)
}

function tooMany(limit: Limit, seconds: number) {
  return new DomainError(
    'rate_limited',
    `That was more than ${limit.burst} requests in ${limit.perSeconds} seconds. Wait ${seconds} s and go on more slowly.`,
    {
      retryAfter: seconds,
      limit,
    },
  )
}
