import { hash } from '@node-rs/argon2'
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { passwordResets, users } from '@/db/schema/directory'
import { DomainError, invalidState, quote } from '../kernel/errors'
import { type Context, command, inTransaction, reading, type Tx } from '../kernel/operation'
import { LIMITS, takeShared } from '../kernel/rate-limit'
import { sha256Hex } from '../kernel/sha256'
import { iso } from '../kernel/shapes'
import { onUser } from './find'
import { PasswordReset, PasswordResetRequested, RequestPasswordReset, ResetLink, ResetPassword } from './schema'
import { randomBase62 } from './token-format'

/**
 * New passwords by a link that works once: by mail for users who forgot theirs, from an administrator for anybody. Only a
 * hash of the token is stored; it stands behind `#` in the address, so that no log and no other site gets it.
 */

const MAILED_FOR_MS = 60 * 60_000
const HANDED_OVER_FOR_MS = 24 * 60 * 60_000

/** A link for this person; those made before stop working. */
async function newLink(tx: Tx, userId: string, validForMs: number): Promise<ResetLink> {
  await tx.db.delete(passwordResets).where(or(eq(passwordResets.userId, userId), lte(passwordResets.expiresAt, tx.now)))
  const token = randomBase62(40)
  const expiresAt = new Date(tx.now.getTime() + validForMs)
  await tx.db
    .insert(passwordResets)
    .values({ id: newId(tx.now), userId, tokenHash: sha256Hex(token), expiresAt, createdAt: tx.now })
  return { url: `${tx.ports.baseUrl}/sign-in/new-password#${token}`, expires_at: iso(expiresAt) }
}

export const requestPasswordReset = command({
  name: 'requestPasswordReset',
  summary: 'Ask for a mail with a link to a new password; the response is the same whether the address is known or not',
  permission: 'anyone',
  input: RequestPasswordReset,
  output: PasswordResetRequested,
  async prepare(ctx, { input }) {
    // Counted outside the transaction: what is refused counts, too.
    const tx = reading(ctx)
    if (ctx.address) await takeShared(tx, LIMITS.passwordReset, ctx.address)
    await takeShared(tx, LIMITS.passwordResetMail, sha256Hex(input.email.toLowerCase()))
  },
  async run(tx, { input }) {
    // Whether there is an account is found out by the worker: the time of the response reveals nothing either.
    if (tx.ports.mail.isSetUp) await tx.enqueue('send_reset_link', { email: tx.ports.secrets.encrypt(input.email) })
    return { mail: tx.ports.mail.isSetUp }
  },
})

/** What is mailed to this address: null without an active account that has a password. */
export function linkForMail(
  ctx: Context,
  email: string,
): Promise<(ResetLink & { name: string; email: string }) | null> {
  return inTransaction(ctx, async (tx) => {
    const [user] = await tx.db
      .select()
      .from(users)
      .where(
        and(
          sql`lower(${users.email}) = ${email.toLowerCase()}`,
          isNull(users.disabledAt),
          isNotNull(users.passwordHash),
        ),
      )
      .for('no key update')
    if (!user) return null
    const link = await newLink(tx, user.id, MAILED_FOR_MS)
    await tx.record({ type: 'user.reset_link_created', subjectId: user.id, data: { name: user.name, by: 'mail' } })
    return { ...link, name: user.name, email: user.email }
  })
}

export const createResetLink = command({
  name: 'createResetLink',
  summary: 'Make a link by which a person chooses a new password; valid for a day, once',
  permission: 'users.manage',
  resource: onUser,
  output: ResetLink,
  async run(tx, { resource: user }) {
    if (user.disabledAt) {
      throw invalidState(`The account of ${quote(user.name)} is disabled. Enable it first.`, 'disabled', ['active'])
    }
    const link = await newLink(tx, user.id, HANDED_OVER_FOR_MS)
    await tx.record({
      type: 'user.reset_link_created',
      subjectId: user.id,
      data: { name: user.name, by: 'administrator' },
    })
    return link
  },
})

const isOpen = (tokenHash: string, now: Date) =>
  and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now))

const usedUp = () =>
  new DomainError(
    'link_expired',
    'This link was used already, has expired, or a newer one was made. Ask for a new link.',
  )

export const resetPassword = command({
  name: 'resetPassword',
  summary: 'Choose a new password by the token of a link; ends every session of the person',
  permission: 'anyone',
  input: ResetPassword,
  output: PasswordReset,
  async prepare(ctx, { input }) {
    const [found] = await ctx.db
      .select({ id: passwordResets.id })
      .from(passwordResets)
      .where(isOpen(sha256Hex(input.token), ctx.now))
    if (!found) {
      await takeShared(reading(ctx), LIMITS.unknownLink, ctx.address ?? 'unknown')
      throw usedUp()
    }
    return hash(input.new_password)
  },
  async run(tx, { input, prepared: passwordHash }) {
    const [used] = await tx.db
      .delete(passwordResets)
      .where(isOpen(sha256Hex(input.token), tx.now))
      .returning()
    if (!used) throw usedUp()
    const [user] = await tx.db
      .update(users)
      .set({ passwordHash, sessionVersion: sql`${users.sessionVersion} + 1`, updatedAt: tx.now })
      .where(and(eq(users.id, used.userId), isNull(users.disabledAt)))
      .returning()
    if (!user) throw usedUp()
    await tx.record({ type: 'user.updated', subjectId: user.id, data: { name: user.name, password: 'reset by link' } })
    return { email: user.email }
  },
})
