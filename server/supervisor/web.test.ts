import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { testDatabaseUrl } from '@/db/testing'

const run = promisify(execFile)
const dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-web-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** What a program says when it refuses to start on a machine with an empty data folder. */
async function refusal(program: string, settings: Record<string, string>): Promise<string> {
  const { DATABASE_URL: _, AUTH_SECRET: __, ...rest } = process.env
  const env = { ...rest, BASE_URL: 'https://qc.example.test', DATA_DIR: dataDir, ...settings }
  const ended = await run(process.execPath, ['--import', 'tsx', program], { env, timeout: 300_000 }).catch(
    (error: { code: number; stderr: string }) => error,
  )
  expect(ended).toMatchObject({ code: 1 })
  return ended.stderr.trim()
}

it('npm run web brings no database of its own', async () => {
  expect(await refusal('server/supervisor/web.ts', {})).toBe(
    'DATABASE_URL is not set: npm run web brings no database of its own, npm start does.',
  )
})

it.each(['server/supervisor/web.ts', 'server/worker.ts', 'scripts/migrate.ts'])(
  '%s makes up no secret that other machines do not have',
  async (program) => {
    expect(await refusal(program, { DATABASE_URL: testDatabaseUrl })).toMatch(/^AUTH_SECRET is not set, and this data/)
    expect(readdirSync(dataDir)).toEqual([])
  },
)
