import { randomUUID } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { AuthOptions } from 'next-auth'
import { getToken, type JWT } from 'next-auth/jwt'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { type Database, database } from '@/db/client'
import { apiTokens, users } from '@/db/schema/directory'
import { endedSessions } from '@/db/schema/operations'
import { configurationAddress } from '@/lib/adapters/identity-provider'
import { findEndedSession, findSessionHolder, findTokenHolder } from '@/lib/domain/directory/identity'
import { isWellFormedToken } from '@/lib/domain/directory/token-format'
import { DomainError } from '@/lib/domain/kernel/errors'
import { type UserActor, unauthenticated } from '@/lib/domain/kernel/permissions'
import { rememberKey } from '@/lib/domain/kernel/personal'
import { giveBack, LIMITS, takeLocal, takeShared } from '@/lib/domain/kernel/rate-limit'
import { sha256Hex } from '@/lib/domain/kernel/sha256'
import { isStorable, isUuid } from '@/lib/domain/kernel/shapes'
import { env } from '@/lib/env'
import { log } from '@/lib/log'

/** The only file that knows next-auth. Everything else knows the actor it returns. */

const SESSION_DAYS = 14

// A hash of nothing anybody knows: an unknown account costs the same time as a wrong password.
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$PrhbAJ8tmBUyB/SgSycwQg$C2bIVuf1T33qRBW/wAWcW7OwsGtHEn+dFmyuHU5TSng'

/** Options for next-auth. A function, because the environment is read when the service runs, not when it is built. */
export function authOptions(address: string | null = null): AuthOptions {
  process.env.NEXTAUTH_URL ??= env.BASE_URL
  return {
    secret: env.AUTH_SECRET,
    session: { strategy: 'jwt', maxAge: SESSION_DAYS * 24 * 3600 },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: [
      CredentialsProvider({
        name: 'E-mail and password',
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: (credentials) => checkPassword(credentials?.email ?? '', credentials?.password ?? '', address),
      }),
      ...(env.AUTH_OIDC_ISSUER ? [oidcProvider(env.AUTH_OIDC_ISSUER)] : []),
    ],
    callbacks: {
      // No user is let in, and no account is linked, by an e-mail address the provider has not verified.
      async signIn({ account, profile }) {
        if (account?.provider !== 'oidc') return true
        const verified = (profile as { email_verified?: boolean } | undefined)?.email_verified === true
        return verified && profile?.email !== undefined && (await findSignIn(database().db, profile.email)) !== null
      },
      async jwt({ token, user, account, profile }) {
        if (account?.provider === 'oidc' && profile?.email) {
          const known = await findSignIn(database().db, profile.email)
          return known ? newSession(known) : {}
        }
        if (user) return newSession(user as { id: string; sessionVersion: number })
        // A copied cookie of a session that ended is not made young again.
        return (await hasEnded(token)) ? {} : token
      },
      session: ({ session }) => session,
    },
    events: { signOut: ({ token }) => endSession(token) },
    logger: {
      // Wrong passwords are no news; what a provider did wrong is for the administrator who set it up. Never the whole error: it may
      // carry the client's secret.
      error: (code, { message }) =>
        code !== 'CREDENTIALS_SIGNIN_ERROR' && log.warn({ code, reason: message }, 'signing in failed'),
      warn: () => {},
      debug: () => {},
    },
  }
}

/** What a session cookie says, signed and sealed; `sid` stays the same however often the cookie is renewed. */
const newSession = (user: { id: string; sessionVersion: number }) => ({
  sub: user.id,
  sessionVersion: user.sessionVersion,
  sid: randomUUID(),
})

/** Signing out is remembered here, too: a copy of the cookie stops working (ASVS 7.4.1). */
async function endSession(token: JWT | null) {
  if (!token?.sub || !isUuid(token.sub) || !isSessionId(token.sid)) return
  await database()
    .db.insert(endedSessions)
    .values({ id: token.sid, userId: token.sub, endedAt: new Date() })
    .onConflictDoNothing()
}

/** A cookie without a session id is none of ours. */
const hasEnded = async ({ sid }: JWT) => !isSessionId(sid) || (await findEndedSession(sid)) !== undefined

const isSessionId = (sid: unknown): sid is string => typeof sid === 'string' && isUuid(sid)

type Claims = { sub: string; email?: string; email_verified?: boolean; name?: string }

const oidcProvider = (issuer: string): OAuthConfig<Claims> => ({
  id: 'oidc',
  name: env.AUTH_OIDC_NAME,
  type: 'oauth',
  wellKnown: configurationAddress(issuer),
  clientId: env.AUTH_OIDC_CLIENT_ID,
  clientSecret: env.AUTH_OIDC_CLIENT_SECRET,
  authorization: { params: { scope: 'openid email profile' } },
  idToken: true,
  userinfo: {
    // Many providers state the address only here (OpenID Connect Core 1.0, section 5.4). The client refuses the response
    // when it is about another subject than the ID token (section 5.3.2).
    async request({ tokens, client }) {
      const set = tokens as Exclude<Parameters<typeof client.userinfo>[0], string>
      const userinfo = client.issuer.metadata.userinfo_endpoint ? await client.userinfo(set) : {}
      return { ...set.claims(), ...userinfo }
    },
  },
  checks: ['pkce', 'state', 'nonce'],
  profile: ({ sub, email, name }) => ({ id: sub, email, name }),
})

async function findSignIn(db: Database, email: string) {
  if (!isStorable(email)) return null
  const [user] = await db
    .select()
    .from(users)
    .where(and(sql`lower(${users.email}) = ${email.trim().toLowerCase()}`, isNull(users.disabledAt)))
  return user ?? null
}

const countingAt = (now: Date) => ({ pool: database().db, now, ports: { limitsRates: env.RATE_LIMITS } })

async function checkPassword(email: string, password: string, address: string | null) {
  const { db } = database()
  const counting = countingAt(new Date())
  const account = sha256Hex(email.trim().toLowerCase())
  const counted = [
    [LIMITS.signIn, `account:${account}:${address ?? 'unknown'}`],
    [LIMITS.signInAccount, account],
    ...(address ? [[LIMITS.signInAddress, address] as const] : []),
  ] as const
  try {
    // Counted before it is known whether the password is right, so that many at once are no way around.
    for (const [limit, subject] of counted) await takeShared(counting, limit, subject)
  } catch (error) {
    // The word next-auth carries to the sign-in page, which has a sentence for it.
    if (error instanceof DomainError) throw new Error(error.code)
    throw error
  }
  const user = await findSignIn(db, email)
  const matches = await verify(user?.passwordHash ?? DECOY, password.slice(0, 1024)).catch(() => false)
  if (!user?.passwordHash || !matches) return null
  for (const [limit, subject] of counted) await giveBack(counting, limit, subject)
  return { id: user.id, sessionVersion: user.sessionVersion }
}

/** The actor behind a request: an API token if one is sent, else the session cookie, else null. */
export async function findActor(headers: Headers, address: string | null, now: Date): Promise<UserActor | null> {
  const authorization = headers.get('authorization')
  if (authorization !== null) return tokenActor(authorization, address, now)
  return sessionActor(headers)
}

/** @throws `unauthenticated` when a token is sent that is not one of ours, has expired or was revoked */
async function tokenActor(authorization: string, address: string | null, now: Date): Promise<UserActor> {
  const { db } = database()
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  if (!isWellFormedToken(token)) {
    throw unauthenticated(
      'The Authorization header must read “Bearer gr_…” with a complete token. Copy the token again.',
    )
  }
  const found = await findTokenHolder(sha256Hex(token))
  if (!found || found.token.revokedAt || found.user.disabledAt) {
    if (address) await takeShared(countingAt(now), LIMITS.badToken, address)
    throw unauthenticated('This token is not known, or it was revoked. Make a new one in Settings, Tokens.')
  }
  if (found.token.expiresAt && found.token.expiresAt <= now) {
    throw unauthenticated(
      `This token expired on ${found.token.expiresAt.toISOString()}. Make a new one in Settings, Tokens.`,
    )
  }
  takeLocal(countingAt(now), LIMITS.api, found.user.id)
  // "Last used" to the minute is enough, and spares a write at every request.
  if (!found.token.lastUsedAt || now.getTime() - found.token.lastUsedAt.getTime() > 60_000) {
    await db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.id, found.token.id))
  }
  return withKey({ ...identity(found.user), scope: found.token.scope, via: 'token' }, found.key)
}

async function sessionActor(headers: Headers): Promise<UserActor | null> {
  const cookies = Object.fromEntries(
    (headers.get('cookie') ?? '').split(/; */).flatMap((pair) => {
      const at = pair.indexOf('=')
      return at > 0 ? [[pair.slice(0, at), decodeCookie(pair.slice(at + 1))]] : []
    }),
  )
  const session = (await getToken({
    req: { cookies, headers: {} } as unknown as Parameters<typeof getToken>[0]['req'],
    secret: env.AUTH_SECRET,
    secureCookie: env.BASE_URL.startsWith('https://'),
  }).catch(() => null)) as (JWT & { sessionVersion?: number }) | null
  if (!session?.sub || !isUuid(session.sub) || !isSessionId(session.sid)) return null
  const found = await findSessionHolder(session.sub, session.sid)
  if (!found || found.endedId !== null) return null
  const { user, key } = found
  if (user.disabledAt || user.sessionVersion !== session.sessionVersion) return null
  return withKey({ ...identity(user), scope: 'write', via: 'session' }, key)
}

function withKey(actor: UserActor, key: Buffer | null): UserActor {
  rememberKey(actor, key)
  return actor
}

function decodeCookie(value: string) {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const identity = (user: Pick<typeof users.$inferSelect, 'id' | 'name' | 'email' | 'role'>) => ({
  type: 'user' as const,
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
})
