import { and, desc, eq, lt } from 'drizzle-orm'
import { scorecardLinks } from '@/db/schema/certificates'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { onAgency } from '../directory/find'
import { randomBase62 } from '../directory/token-format'
import { futureOrNull } from '../kernel/future'
import { command, query, type Tx } from '../kernel/operation'
import { sha256Hex } from '../kernel/sha256'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { type LinkOfAgency, onScorecardLink } from './find'
import { scorecardLinkStatus } from './rules'
import { CreateScorecardLink, ListScorecardLinks, ScorecardLink, ScorecardLinkList } from './schema'

/** Links to an agency's scorecard, as administrators make and withdraw them: a scorecard counts every project. */

function present(tx: Tx, { link, agency }: LinkOfAgency, creator: { id: string; name: string }): ScorecardLink {
  return {
    id: link.id,
    agency: { id: agency.id, name: agency.name },
    url: `${tx.ports.baseUrl}/s/${tx.ports.secrets.decrypt(link.tokenEncrypted)}`,
    status: scorecardLinkStatus(link, tx.now),
    expires_at: isoOrNull(link.expiresAt),
    last_used_at: isoOrNull(link.lastUsedAt),
    created_by: creator,
    created_at: iso(link.createdAt),
  }
}

export const listScorecardLinks = query({
  name: 'listScorecardLinks',
  summary: "The links to an agency's scorecard, newest first",
  permission: 'directory.manage',
  resource: onAgency,
  input: ListScorecardLinks,
  output: ScorecardLinkList,
  async run(tx, { resource: agency, input }) {
    const found = await tx.db
      .select({ id: scorecardLinks.id, link: scorecardLinks, creator: { id: users.id, name: users.name } })
      .from(scorecardLinks)
      .innerJoin(users, eq(users.id, scorecardLinks.createdBy))
      .where(
        and(
          eq(scorecardLinks.agencyId, agency.id),
          input.cursor ? lt(scorecardLinks.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(scorecardLinks.id))
      .limit(upTo(input.limit))
    const { rows, next_cursor } = page(found, input.limit)
    return { scorecard_links: rows.map(({ link, creator }) => present(tx, { link, agency }, creator)), next_cursor }
  },
})

export const createScorecardLink = command({
  name: 'createScorecardLink',
  summary: 'Create a link by which an agency reads its own metrics without an account',
  permission: 'directory.manage',
  resource: onAgency,
  input: CreateScorecardLink,
  output: ScorecardLink,
  created: ({ agency }) => `/api/agencies/${agency.id}/scorecard-links`,
  async run(tx, { resource: agency, input }) {
    const { actor } = tx
    if (actor.type !== 'user') throw new Error('Scorecard links are made by people.')
    const expiresAt = futureOrNull(tx, 'expires_at', input.expires_at)
    const token = randomBase62(16)
    const [link] = await tx.db
      .insert(scorecardLinks)
      .values({
        id: newId(tx.now),
        agencyId: agency.id,
        tokenHash: sha256Hex(token),
        tokenEncrypted: tx.ports.secrets.encrypt(token),
        createdBy: actor.id,
        expiresAt,
        createdAt: tx.now,
      })
      .returning()
    if (!link) throw new Error('An inserted scorecard link did not come back.')
    await tx.record({
      type: 'scorecard_link.created',
      subjectId: link.id,
      data: { agency: agency.name, expires_at: isoOrNull(expiresAt) },
    })
    return present(tx, { link, agency }, { id: actor.id, name: actor.name })
  },
})

export const deactivateScorecardLink = command({
  name: 'deactivateScorecardLink',
  summary: 'Withdraw a link to a scorecard at once',
  permission: 'directory.manage',
  resource: onScorecardLink,
  output: ScorecardLink,
  async run(tx, { resource: { link, agency } }) {
    if (!link.deactivatedAt) {
      await tx.db.update(scorecardLinks).set({ deactivatedAt: tx.now }).where(eq(scorecardLinks.id, link.id))
      await tx.record({ type: 'scorecard_link.deactivated', subjectId: link.id, data: { agency: agency.name } })
    }
    const [creator] = await tx.db
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(eq(users.id, link.createdBy))
    if (!creator) throw new Error(`The creator of the scorecard link ${link.id} vanished.`)
    return present(tx, { link: { ...link, deactivatedAt: link.deactivatedAt ?? tx.now }, agency }, creator)
  },
})
