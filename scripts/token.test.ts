import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import * as meRoute from '@/app/api/users/me/route'
import { database } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { apiTokens } from '@/db/schema/directory'
import { testDatabaseUrl } from '@/db/testing'
import { makeUser } from '@/fixtures/factories'
import { isWellFormedToken } from '@/lib/domain/directory/token-format'
import { send } from '@/lib/http/testing'
import { startEmbeddedDatabase } from '@/server/embedded-database/embedded-database'

const run = promisify(execFile)
const dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-token-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Runs the command as `npm run token --` does. */
async function token(args: string[], env: Record<string, string> = { DATABASE_URL: testDatabaseUrl }) {
  const { DATABASE_URL: _, ...rest } = process.env
  try {
    const options = { env: { ...rest, DATA_DIR: dataDir, ...env }, timeout: 60_000 }
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/token.ts', ...args], options)
    return { lines: stdout.trimEnd().split('\n'), said: '' }
  } catch (error) {
    return { lines: [], said: (error as { stderr: string }).stderr }
  }
}

describe('npm run token', () => {
  it('prints a token alone on the last line, which acts as its user at once', async () => {
    const user = await makeUser({ role: 'operator', email: 'Operator@example.test' })
    const { lines, said } = await token(['--user', 'operator@EXAMPLE.test'])
    expect(said).toBe('')
    const printed = lines.at(-1) ?? ''
    expect(isWellFormedToken(printed)).toBe(true)
    const me = await send(meRoute.GET, 'GET', '/api/users/me', { token: printed })
    expect(await me.json()).toMatchObject({ id: user.id, role: 'operator', scope: 'write' })
  })

  it('takes a name, a scope and a life in days', async () => {
    const user = await makeUser({ email: 'days@example.test' })
    await token(['--user', user.email, '--name', 'Nightly export', '--scope', 'read', '--days', '30'])
    const [stored] = await database().db.select().from(apiTokens).where(eq(apiTokens.userId, user.id))
    expect(stored).toMatchObject({ name: 'Nightly export', scope: 'read' })
    const days = ((stored?.expiresAt?.getTime() ?? 0) - (stored?.createdAt.getTime() ?? 0)) / 86_400_000
    expect(days).toBe(30)
  })

  it.each([
    [[], '--user is missing'],
    [['--user', 'unknown@example.test'], 'There is no user with the e-mail address “unknown@example.test”'],
    [['--user', 'a@b.test', '--scope', 'admin'], '--scope is “admin”: expected read or write'],
    [['--user', 'a@b.test', '--days', '0'], '--days is “0”: expected a whole number from 1 to 3650'],
    [['--user', 'a@b.test', '--role', 'x'], '--role'],
  ])('%j is refused in a sentence', async (args, sentence) => {
    const { lines, said } = await token(args)
    expect(lines).toEqual([])
    expect(said).toContain(sentence)
    expect(said).not.toMatch(/^\s+at /m)
  })

  it('says what to do when there is no database yet, or when it does not respond', async () => {
    expect((await token(['--user', 'a@b.test'], {})).said).toContain('run npm start once, or set DATABASE_URL')
    const gone = { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/none' }
    const { said } = await token(['--user', 'a@b.test'], gone)
    expect(said).toContain('The database at 127.0.0.1:1 does not respond')
    expect(said).not.toContain('secret')
  })

  it('starts the database of the data folder for a moment when nothing runs, and stops it again', async () => {
    const own = path.join(dataDir, 'own')
    const server = await startEmbeddedDatabase(own)
    await migrateDatabase(server.url)
    const sql = postgres(server.url, { max: 1 })
    await sql`insert into users (id, email, name, role) values (gen_random_uuid(), 'alone@example.test', 'Alone', 'viewer')`
    await sql.end()
    await server.stop()
    const { lines, said } = await token(['--user', 'alone@example.test'], { DATA_DIR: own })
    expect(said).toBe('')
    expect(isWellFormedToken(lines.at(-1) ?? '')).toBe(true)
    expect(existsSync(path.join(own, 'running.json'))).toBe(false)
    await expect(postgres(server.url, { max: 1 })`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('finds the address that a running Greenroom noted in its data folder', async () => {
    const user = await makeUser({ email: 'noted@example.test' })
    writeFileSync(path.join(dataDir, 'database-url'), `${testDatabaseUrl}\n`)
    const { lines } = await token(['--user', user.email], {})
    expect(isWellFormedToken(lines.at(-1) ?? '')).toBe(true)
  })
})
