import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabaseUrl } from '@/db/testing'
import { makeUser } from '@/fixtures/factories'
import { secretsUnder } from '@/lib/adapters/secrets'

const run = promisify(execFile)
const dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-user-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Runs the command as `npm run user --` does, on a machine with an empty data folder. */
async function user(args: string[], env: Record<string, string> = {}) {
  const settings = { DATABASE_URL: testDatabaseUrl, DATA_DIR: dataDir, BASE_URL: 'https://qc.example.test', ...env }
  try {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/user.ts', ...args], {
      env: { ...process.env, ...settings },
      timeout: 300_000,
    })
    return stdout.trim()
  } catch (error) {
    return (error as { stderr: string }).stderr.trim()
  }
}

describe('npm run user -- --first-admin', () => {
  const AUTH_SECRET = 'shared by all machines, and long enough'

  it('makes up no secret that the other machines do not have', async () => {
    expect(await user(['--first-admin'])).toMatch(/^AUTH_SECRET is not set, and this data folder holds none/)
  })

  it('prints an address that opens on every machine with the same secret, until there is an account', async () => {
    const printed = await user(['--first-admin'], { AUTH_SECRET })
    const token = /^https:\/\/qc\.example\.test\/setup\/(\S+)$/m.exec(printed)?.[1] ?? ''
    expect(secretsUnder(AUTH_SECRET).decrypt(token)).toBe('the first administrator of this service')
    await makeUser({ role: 'viewer' })
    expect(await user(['--first-admin'], { AUTH_SECRET })).toBe(
      'An account exists already: an administrator makes accounts.',
    )
  })
})
