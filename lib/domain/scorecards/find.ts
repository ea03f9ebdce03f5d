import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { scorecardLinks } from '@/db/schema/certificates'
import { agencies } from '@/db/schema/directory'
import type { AgencyRow } from '../directory/find'
import { notFound } from '../kernel/errors'
import { type Context, type Finder, reading, type Tx } from '../kernel/operation'
import type { Actor } from '../kernel/permissions'
import { findByLink, LIMITS, takeShared } from '../kernel/rate-limit'
import { sha256Hex } from '../kernel/sha256'
import { isUuid } from '../kernel/shapes'

type ScorecardLinkRow = typeof scorecardLinks.$inferSelect
export type LinkOfAgency = { link: ScorecardLinkRow; agency: AgencyRow }

/** For staff, by its id. */
export const onScorecardLink: Finder<'scorecard_link_id', LinkOfAgency> = {
  params: ['scorecard_link_id'],
  async find(tx, { scorecard_link_id: id }, lock) {
    const select = joined(tx).where(eq(scorecardLinks.id, id))
    const [found] = isUuid(id) ? await (lock ? select.for('no key update', { of: scorecardLinks }) : select) : []
    if (!found) throw notFound('scorecard link', id)
    return found
  },
}

const joined = (tx: Pick<Tx, 'db'>) =>
  tx.db
    .select({ link: scorecardLinks, agency: agencies })
    .from(scorecardLinks)
    .innerJoin(agencies, eq(agencies.id, scorecardLinks.agencyId))

/** Always hashed and looked up: a malformed token takes as long as an unknown one, and the response repeats neither. */
async function findByToken(tx: Pick<Tx, 'db'>, token: string): Promise<LinkOfAgency> {
  const [found] = await joined(tx).where(eq(scorecardLinks.tokenHash, sha256Hex(token)))
  if (!found) throw notFound('scorecard link')
  return found
}

/** For the holder of the link: the token in the path is the right to it. */
export const byToken: Finder<'token', LinkOfAgency> = {
  params: ['token'],
  find: (tx, { token }) => findByToken(tx, token),
}

const MINUTE = 60_000

/** The holder of the link reads and does nothing else, so the actor is anonymous, signed in or not. */
export async function authenticateReader(ctx: Context, { token }: Record<'token', string>): Promise<Actor> {
  const found = await findByLink(
    ctx,
    () => findByToken(ctx, token),
    ({ link }) => link.id,
  )
  await takeShared(reading(ctx), LIMITS.scorecard, `${found.link.id}:${ctx.address ?? 'unknown'}`)
  await ctx.db
    .update(scorecardLinks)
    .set({ lastUsedAt: ctx.now })
    .where(
      and(
        eq(scorecardLinks.id, found.link.id),
        or(isNull(scorecardLinks.lastUsedAt), lt(scorecardLinks.lastUsedAt, new Date(ctx.now.getTime() - MINUTE))),
      ),
    )
  return { type: 'anonymous' }
}
