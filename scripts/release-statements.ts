// `npm run release:statements`, at each release: runs the tests of the interface, operations and jobs, records every
// statement that the product makes meanwhile, and keeps those that run on this version's schema in db/releases, in place of
// the record of the release before. From then on migrations are tested with it (db/releases/previous.test.ts).
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startVitest } from 'vitest/node'
import { createDatabase } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { failuresOf, packRelease, reviveBytes, type Statement } from '@/db/releases/previous'
import { clusterIn, startCluster } from '@/server/embedded-database/cluster'

const SUITE = ['lib/domain', 'lib/http', 'lib/jobs', 'lib/uploads']
/** Not sent as a statement with values, or without meaning outside of its session. */
const LEFT_OUT = /^\s*(?:begin|commit|rollback|savepoint|release|listen|unlisten|fetch|close|declare|copy|set)\b/i

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-statements-'))
chmodSync(folder, 0o711)
try {
  const recorded = path.join(folder, 'recorded')
  mkdirSync(recorded)
  process.env.GREENROOM_STATEMENTS = recorded
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const replacement = path.resolve('db/releases/recording-postgres.ts')
  const alias = [{ find: /^postgres$/, replacement }]
  const run = await startVitest('test', SUITE, { watch: false, run: true }, { resolve: { alias } })
  const failed = run.state.getCountOfFailedTests()
  await run.close()
  if (failed > 0) throw new Error(`${failed} tests failed: a release is recorded from tests that pass.`)
  const found = distinct(recorded)
  const failures = await tryOut(found)
  const isLeft = new Set(failures.map(({ text }) => text))
  const statements = found.filter(({ text }) => !isLeft.has(text))
  const packed = packRelease({ version, statements })
  for (const name of readdirSync(packed.folder))
    if (name.endsWith(packed.suffix)) rmSync(path.join(packed.folder, name))
  writeFileSync(path.join(packed.folder, packed.name), packed.bytes)
  for (const { text, reason } of failures) console.log(`left out: ${reason}: ${text.slice(0, 120)}`)
  console.log(
    `${packed.name}: ${statements.length} statements, ${packed.bytes.length} bytes; ${failures.length} left out that need what a test had prepared`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** One of each form: with two values or two hundred in a list, a statement is the same. */
function distinct(recorded: string): Statement[] {
  const forms = new Map<string, Statement>()
  const lines = readdirSync(recorded).flatMap((name) =>
    readFileSync(path.join(recorded, name), 'utf8').trim().split('\n'),
  )
  for (const line of lines) {
    const statement = JSON.parse(line, reviveBytes) as Statement
    if (LEFT_OUT.test(statement.text)) continue
    const form = formOf(statement.text)
    const known = forms.get(form)
    if (!known || known.text.length > statement.text.length) forms.set(form, statement)
  }
  return [...forms].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, statement]) => statement)
}

function formOf(text: string): string {
  return text
    .replace(/\$\d+/g, '$')
    .replace(/\$(?:, \$)+/g, '$')
    .replace(/(\((?:\$|default|, )+\))(?:, \((?:\$|default|, )+\))+/g, '$1')
}

async function tryOut(statements: Statement[]) {
  const cluster = await startCluster(clusterIn(folder))
  try {
    await migrateDatabase(cluster.url)
    const { sql } = createDatabase(cluster.url, { max: 1 })
    try {
      return await failuresOf(sql, statements)
    } finally {
      await sql.end({ timeout: 5 })
    }
  } finally {
    await cluster.stop()
  }
}
