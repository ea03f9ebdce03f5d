import { and, desc, eq, isNull, lt, type SQL } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { apiTokens, users } from '@/db/schema/directory'
import { forbidden, invalid, invalidField, quote } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { allow, can } from '../kernel/permissions'
import { findRow } from '../kernel/rows'
import { sha256Hex } from '../kernel/sha256'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { tokenStatus } from './rules'
import { CreateToken, ListTokens, NewToken, Token, TokenList } from './schema'
import { newToken } from './token-format'

/** API tokens: how another system acts as a user. Only a hash of each is stored. */

const withUser = (tx: Tx) =>
  tx.db
    .select({ token: apiTokens, userName: users.name })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))

const present = (
  { token, userName }: { token: typeof apiTokens.$inferSelect; userName: string },
  now: Date,
): Token => ({
  id: token.id,
  name: token.name,
  user: { id: token.userId, name: userName },
  prefix: token.prefix,
  scope: token.scope,
  status: tokenStatus(token, now),
  expires_at: isoOrNull(token.expiresAt),
  last_used_at: isoOrNull(token.lastUsedAt),
  revoked_at: isoOrNull(token.revokedAt),
  created_at: iso(token.createdAt),
  updated_at: iso(token.updatedAt),
})

async function serializeToken(tx: Tx, id: string): Promise<Token> {
  const [row] = await withUser(tx).where(eq(apiTokens.id, id))
  if (!row) throw new Error(`Token ${id} vanished while it was read.`)
  return present(row, tx.now)
}

/** Users see their own tokens, administrators those of all. */
const seenBy = (tx: Tx): SQL | undefined =>
  can(tx.actor, 'tokens.of_others') || tx.actor.type !== 'user' ? undefined : eq(apiTokens.userId, tx.actor.id)

const onToken: Finder<'token_id', typeof apiTokens.$inferSelect> = {
  params: ['token_id'],
  find: (tx, { token_id }, lock) => findRow(tx, apiTokens, 'token', token_id, lock, seenBy(tx)),
}

export const listTokens = query({
  name: 'listTokens',
  summary: 'Your API tokens, newest first; for administrators also those of others',
  permission: 'tokens.own',
  input: ListTokens,
  output: TokenList,
  async run(tx, { input }) {
    const own = tx.actor.type === 'user' ? tx.actor.id : undefined
    const whose = input.user_id ?? own
    if (whose !== own) allow(tx.actor, 'tokens.of_others')
    const rows = await withUser(tx)
      .where(
        and(
          whose && whose !== 'all' ? eq(apiTokens.userId, whose) : undefined,
          input.cursor ? lt(apiTokens.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(apiTokens.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.token.id })),
      input.limit,
    )
    return { tokens: shown.map((row) => present(row, tx.now)), next_cursor }
  },
})

export const getToken = query({
  name: 'getToken',
  summary: 'One API token, without its secret',
  permission: 'tokens.own',
  resource: onToken,
  isVersioned: true,
  output: Token,
  run: (tx, { resource: token }) => serializeToken(tx, token.id),
})

export const createToken = command({
  name: 'createToken',
  summary: 'Make an API token; the response holds it, once',
  permission: 'tokens.own',
  input: CreateToken,
  output: NewToken,
  created: (token) => `/api/tokens/${token.id}`,
  async run(tx, { input }) {
    const { actor } = tx
    // Otherwise a token that leaked could make itself a successor, and revoking it would end nothing.
    if (actor.type === 'user' && actor.via === 'token') {
      throw forbidden(
        'A token cannot make tokens. Sign in and make it in Settings, or use npm run token on the server.',
      )
    }
    const userId = input.user_id ?? (actor.type === 'user' ? actor.id : undefined)
    if (!userId)
      throw invalid([{ path: 'user_id', code: 'required', message: 'user_id is missing: whose token is it?' }])
    if (actor.type !== 'user' || userId !== actor.id) allow(actor, 'tokens.of_others')
    const expiresAt = input.expires_at ? new Date(input.expires_at) : null
    if (expiresAt && expiresAt <= tx.now) {
      throw invalidField(
        'expires_at',
        'in_the_past',
        `expires_at must be in the future; got ${quote(input.expires_at)}. Leave it out for a token that does not expire.`,
      )
    }
    const [user] = await tx.db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.disabledAt)))
    if (!user) {
      throw invalidField(
        'user_id',
        'unknown_reference',
        `There is no active user ${quote(userId)}. Use the id of an existing one.`,
      )
    }
    const token = newToken()
    const id = newId(tx.now)
    await tx.db.insert(apiTokens).values({
      id,
      userId,
      name: input.name,
      tokenHash: sha256Hex(token),
      prefix: token.slice(0, 7),
      scope: input.scope,
      expiresAt,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await tx.record({
      type: 'token.created',
      subjectId: id,
      data: {
        name: input.name,
        user: user.name,
        user_id: userId,
        scope: input.scope,
        expires_at: isoOrNull(expiresAt),
      },
    })
    return { ...(await serializeToken(tx, id)), token }
  },
})

export const revokeToken = command({
  name: 'revokeToken',
  summary: 'Revoke an API token; it stops working at once',
  permission: 'tokens.own',
  resource: onToken,
  output: Token,
  async run(tx, { resource: token }) {
    if (!token.revokedAt) {
      await tx.db.update(apiTokens).set({ revokedAt: tx.now, updatedAt: tx.now }).where(eq(apiTokens.id, token.id))
      await tx.record({
        type: 'token.revoked',
        subjectId: token.id,
        data: { name: token.name, user_id: token.userId },
      })
    }
    return serializeToken(tx, token.id)
  },
})
