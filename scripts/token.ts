import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { closeDatabase, database } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { users } from '@/db/schema/directory'
import { createToken } from '@/lib/domain/directory/tokens'
import { DomainError, quote } from '@/lib/domain/kernel/errors'
import { env } from '@/lib/env'
import { newContext } from '@/lib/service'
import { startEmbeddedDatabase } from '@/server/embedded-database/embedded-database'
import { claimDataFolder } from '@/server/supervisor/claim'

const USAGE = 'Usage: npm run token -- --user EMAIL [--name NAME] [--scope read|write] [--days N]'

/** Prints a new API token, alone on the last line. Works beside a running Greenroom and also when none runs. */
try {
  const wanted = readArguments()
  const url = env.DATABASE_URL
  const token = (await isReachable(env.DATABASE_DIRECT_URL))
    ? await make(url, wanted)
    : await withOwnDatabase((own) => make(own, wanted))
  console.log(token)
} catch (error) {
  console.error(error instanceof DomainError ? error.detail : error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        user: { type: 'string' },
        name: { type: 'string' },
        scope: { type: 'string' },
        days: { type: 'string' },
      },
    })
    if (!values.user) throw new Error('--user is missing: whose token is it?')
    const days = values.days === undefined ? null : Number(values.days)
    if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= 3650)) {
      throw new Error(`--days is ${quote(values.days)}: expected a whole number from 1 to 3650.`)
    }
    if (values.scope !== undefined && values.scope !== 'read' && values.scope !== 'write') {
      throw new Error(`--scope is ${quote(values.scope)}: expected read or write.`)
    }
    return { email: values.user, name: values.name ?? 'Made on the command line', scope: values.scope ?? 'write', days }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  }
}

async function make(url: string, { email, name, scope, days }: ReturnType<typeof readArguments>): Promise<string> {
  process.env.DATABASE_URL = url
  try {
    const [user] = await database()
      .db.select()
      .from(users)
      .where(sql`lower(${users.email}) = ${email.trim().toLowerCase()}`)
    if (!user) throw new Error(`There is no user with the e-mail address ${quote(email)}.${await whoIsThere()}`)
    const ctx = newContext({ actor: { type: 'system', name: 'npm run token' } })
    const expires_at = days === null ? null : new Date(ctx.now.getTime() + days * 86_400_000).toISOString()
    const { token } = await createToken.execute(ctx, {}, { name, scope, user_id: user.id, expires_at })
    return token
  } finally {
    await closeDatabase()
  }
}

async function whoIsThere() {
  const some = await database().db.select({ email: users.email }).from(users).orderBy(users.id).limit(5)
  return some.length > 0
    ? ` Some that there are: ${some.map(({ email }) => email).join(', ')}.`
    : ' There are no users yet.'
}

/** Whether a server is there; any response counts, also a refusal of the password. */
async function isReachable(url: string): Promise<boolean> {
  const sqlClient = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    await sqlClient`select 1`
    return true
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'ECONNREFUSED' && isOwn()) return false
    const where = new URL(url)
    throw new Error(
      `The database at ${where.hostname}:${where.port || 5432} does not respond: ${error instanceof Error ? error.message : error}. ` +
        'Is it running, and is DATABASE_URL right?',
    )
  } finally {
    await sqlClient.end({ timeout: 1 })
  }
}

function isOwn() {
  return !process.env.DATABASE_URL?.trim() && existsSync(path.join(env.DATA_DIR, 'database-url'))
}

/** Nothing runs: starts the database for a moment, having made sure that no other process does the same. */
async function withOwnDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const claim = await claimDataFolder(env.DATA_DIR, 'npm run token')
  try {
    const server = await startEmbeddedDatabase(env.DATA_DIR)
    try {
      await migrateDatabase(server.url)
      return await work(server.url)
    } finally {
      await server.stop()
    }
  } finally {
    claim.release()
  }
}
