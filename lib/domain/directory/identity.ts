import { eq, sql } from 'drizzle-orm'
import { type Database, database } from '@/db/client'
import { apiTokens, users } from '@/db/schema/directory'
import { personKeys } from '@/db/schema/events'
import { endedSessions } from '@/db/schema/operations'
import { sharedLookup } from '../kernel/shared-lookup'

// Asked at every request, so that a disabled user or a revoked token is out at once, everywhere; hence prepared once,
// narrow, and shared by requests that arrive together. With the key that what the user does is sealed by in the audit trail.

const WHO = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  disabledAt: users.disabledAt,
  sessionVersion: users.sessionVersion,
}

const TOKEN = {
  id: apiTokens.id,
  scope: apiTokens.scope,
  expiresAt: apiTokens.expiresAt,
  revokedAt: apiTokens.revokedAt,
  lastUsedAt: apiTokens.lastUsedAt,
}

const prepareSession = (db: Database) =>
  db
    .select({ user: WHO, key: personKeys.key, endedId: endedSessions.id })
    .from(users)
    .leftJoin(personKeys, eq(personKeys.personId, users.id))
    .leftJoin(endedSessions, eq(endedSessions.id, sql.placeholder('session')))
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('find_session')

const prepareToken = (db: Database) =>
  db
    .select({ token: TOKEN, user: WHO, key: personKeys.key })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .leftJoin(personKeys, eq(personKeys.personId, users.id))
    .where(eq(apiTokens.tokenHash, sql.placeholder('hash')))
    .prepare('find_token_holder')

const prepareEnded = (db: Database) =>
  db
    .select({ id: endedSessions.id })
    .from(endedSessions)
    .where(eq(endedSessions.id, sql.placeholder('id')))
    .prepare('find_ended_session')

const prepare = (db: Database) => ({
  db,
  session: prepareSession(db),
  token: prepareToken(db),
  ended: prepareEnded(db),
})

let prepared: ReturnType<typeof prepare> | undefined

function statements() {
  const { db } = database()
  if (prepared?.db !== db) prepared = prepare(db)
  return prepared
}

const findHolder = sharedLookup(async (asked) => {
  const [id, session] = asked.split(' ')
  return (await statements().session.execute({ id, session }))[0]
})

/** The user as the database knows it now, and whether they signed out of this session; undefined for none. Both ids: UUIDs. */
export const findSessionHolder = (userId: string, sessionId: string) => findHolder(`${userId} ${sessionId}`)

/** The token with this SHA-256 (hex) and whose it is, or undefined. */
export const findTokenHolder = sharedLookup(async (hash) => (await statements().token.execute({ hash }))[0])

/** The session with this id (a UUID) when its user signed out of it, or undefined. */
export const findEndedSession = sharedLookup(async (id) => (await statements().ended.execute({ id }))[0])
