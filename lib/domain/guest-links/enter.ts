import { z } from 'zod'
import type { BatchStatus } from '@/lib/vocabulary'
import { forbidden } from '../kernel/errors'
import { hasLinkKey, keyForPassword } from '../kernel/link-password'
import { type Context, reading, type Tx } from '../kernel/operation'
import type { Actor } from '../kernel/permissions'
import { findByLink } from '../kernel/rate-limit'
import { text } from '../kernel/shapes'
import { assertOpen, type Link, type LinkNoun, statusForHolder } from './rules'

type LinkRow = Link & { id: string; name: string; passwordHash: string | null }
type OnLink = { link: LinkRow; batch: { status: BatchStatus } }
type Token = Record<'token', string>
type FindByToken<O extends OnLink> = (tx: Tx, params: Token, lock: boolean) => Promise<O>

/** The holder of a link acts as the link, signed in or not. */
export const authenticateBy =
  <O extends OnLink>(find: FindByToken<O>) =>
  async (ctx: Context, params: Token): Promise<Actor> => {
    const { link } = await findByLink(
      ctx,
      () => find(reading(ctx), params, false),
      (found) => found.link.id,
    )
    return { type: 'guest', id: link.id, name: link.name }
  }

/** The same where the page of the link is opened: a visit is written down, which a query itself cannot do. */
export const authenticateVisit =
  <O extends OnLink>(find: FindByToken<O>, note: (ctx: Context, on: O) => Promise<void>) =>
  async (ctx: Context, params: Token): Promise<Actor> => {
    const actor = await authenticateBy(find)(ctx, params)
    const tx = reading({ ...ctx, actor })
    const on = await find(tx, params, false)
    if (statusForHolder(on.link, on.batch, ctx.now) === 'active' && isUnlocked(tx, on.link))
      await note({ ...ctx, actor }, on)
    return actor
  }

/** Visits of one person within so long are one visit on the audit trail. */
const VISIT_MS = 30 * 60_000

/** Of links that were last opened at this moment or before, the next opening is a new visit. */
export const visitsEndedBy = (now: Date) => new Date(now.getTime() - VISIT_MS)

/** Whether the password was given: the browser keeps a key for it. No hashing here, where rows may be locked. */
export const isUnlocked = (tx: Tx, link: LinkRow) => link.passwordHash === null || hasLinkKey(tx, link)

/** Whether the holder may have what is behind the link. @throws `link_expired`, `link_deactivated`, `forbidden` */
export function assertEntered(what: LinkNoun, tx: Tx, { link, batch }: OnLink) {
  assertOpen(what, link, batch, tx.now)
  if (isUnlocked(tx, link)) return
  throw forbidden('This link is protected by a password. Open it in a browser and type the password there.')
}

/** What the open page of a link listens to, and until when. */
export const watching = (what: LinkNoun) => ({
  async run(tx: Tx, { resource }: { resource: OnLink & { batch: { id: string }; project: { id: string } } }) {
    assertEntered(what, tx, resource)
    const { link, batch, project } = resource
    return { batchId: batch.id, projectId: project.id, expiresAt: link.expiresAt }
  },
})

/** Gives the password of a link for a key that the browser keeps. Changes nothing. */
export const unlocking = (what: LinkNoun) => ({
  input: z.strictObject({ password: text(200) }),
  output: z.object({ key: z.string() }),
  inputInBody: true as const,
  async run(tx: Tx, { resource, input }: { resource: OnLink; input: { password: string } }) {
    assertOpen(what, resource.link, resource.batch, tx.now)
    return { key: await keyForPassword(tx, resource.link, input.password) }
  },
})
