import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabaseUrl } from '@/db/testing'
import { patchPostgres, REPAIRS } from './postgres-patch.mjs'

const root = mkdtempSync(path.join(tmpdir(), 'greenroom-driver-'))
const driver = path.join(root, 'node_modules', 'postgres')

const SCENARIOS = {
  /** A transaction goes on although its connection was lost. */
  lost: {
    repaired: 'CONNECTION_CLOSED',
    published: "TypeError: Cannot read properties of null (reading 'write')",
    program: `
      let goingOn
      await sql.begin((tx) => {
        goingOn = tx\`select pg_backend_pid() as pid\`.then(async ([{ pid }]) => {
          await other\`select pg_terminate_backend(\${pid})\`
          await closed
          return tx\`select 1\`
        })
        return goingOn
      }).catch(() => {})
      const outcome = await goingOn.catch((error) => error.code)`,
  },
  /** The same, when others have opened the connection again meanwhile. */
  outside: {
    repaired: 'CONNECTION_CLOSED',
    published: 'made',
    program: `
      let goingOn
      await sql.begin((tx) => {
        goingOn = tx\`select pg_backend_pid() as pid\`.then(async ([{ pid }]) => {
          await other\`select pg_terminate_backend(\${pid})\`
          await closed
          await sql\`select 1\`
          return tx\`select 'made' as outcome\`
        })
        return goingOn
      }).catch(() => {})
      const outcome = await goingOn.then(([row]) => row.outcome, (error) => error.code)`,
  },
  /** The connection is lost while a statement waits to be written. */
  buffered: {
    repaired: '3',
    published: 'CONNECT_TIMEOUT',
    program: `
      await sql\`select 1\`
      // After what is set for now, and before a socket says that it is closed.
      const statement = await new Promise((begun) => setImmediate(() => {
        sockets[0].destroy()
        begun([sql\`select 2\`.catch(() => {})])
      }))
      await statement[0]
      const outcome = await sql\`select 3 as three\`.then(([{ three }]) => String(three), (error) => error.code)`,
  },
  /** A statement is made after the error of a connection and before its end. */
  between: {
    repaired: 'CONNECTION_CLOSED',
    published: 'no rows',
    program: `
      await sql\`select 1\`
      const statement = new Promise((resolve) => sockets[0].once('error', () =>
        resolve(sql\`select 2 as two\`.then(([row]) => row ? String(row.two) : 'no rows', (error) => error.code))))
      sockets[0].destroy(new Error('lost'))
      await closed
      await sql\`select 3\`
      const outcome = await ended(statement)`,
  },
  /** The server ends a connection in the middle of a statement. */
  stale: {
    repaired: '3',
    published: '57P01',
    program: `
      const [{ pid }] = await sql\`select pg_backend_pid() as pid\`
      const statement = sql\`select pg_sleep(600)\`.catch(() => {})
      await other\`select pg_terminate_backend(\${pid})\`
      await statement
      await closed
      const outcome = await sql\`select 3 as three\`.then(([{ three }]) => String(three), (error) => error.code)`,
  },
  /** A statement of a transaction waits for another one when the connection is lost. */
  waiting: {
    repaired: 'CONNECTION_CLOSED',
    published: "TypeError: Cannot read properties of null (reading 'write')",
    program: `
      let second
      await sql.begin((tx) => {
        // A statement with parameters that is new keeps the others waiting until these are described.
        const first = tx\`select \${1}::int, pg_sleep(600)\`.execute()
        second = tx\`select 2\`.catch((error) => error.code)
        setImmediate(() => sockets[0].destroy())
        return Promise.all([first, second])
      }).catch(() => {})
      const outcome = await ended(second)`,
  },
  /** The connection is lost while the driver asks for the types of arrays, which it does first. */
  types: {
    repaired: 'lost, then 3',
    published: 'Error: lost',
    program: `
      onStatement = (text) => {
        if (sockets.length === 1 && text.includes('typarray'))
          setImmediate(() => sockets[0].destroy(new Error('lost')))
      }
      const first = await sql\`select 1\`.catch((error) => error.message)
      const [{ three }] = await sql\`select 3 as three\`
      const outcome = first + ', then ' + three`,
  },
}

/** What the driver in `folder` makes of it: what it prints, or the error it ends with. */
function play(scenario: keyof typeof SCENARIOS): string {
  const program = `
    import net from 'node:net'
    import postgres from ${JSON.stringify(path.join(driver, 'src', 'index.js'))}
    const sockets = []
    let close
    let onStatement = () => {}
    const ended = (statement) => Promise.race([statement, new Promise((r) => setTimeout(() => r('never'), 3_000))])
    const closed = new Promise((resolve) => { close = resolve })
    const sql = postgres(process.argv[1], { max: 1, connect_timeout: 5, onclose: () => setTimeout(close, 50),
      debug: (_, text) => onStatement(text),
      socket: ({ host: [host], port: [port] }) => { sockets.push(net.connect(port, host)); return sockets.at(-1) } })
    const other = postgres(process.argv[1], { max: 1 })
    ${SCENARIOS[scenario].program}
    console.log(outcome)
    process.exit()`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, testDatabaseUrl], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return stdout.trim() || (/^\w*Error.*$/m.exec(stderr)?.[0] ?? stderr)
}

beforeAll(() => cpSync('node_modules/postgres', driver, { recursive: true }))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const names = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[]

it.each(names)('survives a connection that is lost at the wrong moment: %s', (name) => {
  patchPostgres(root)
  expect(play(name)).toBe(SCENARIOS[name].repaired)
})

it.each(names)('is still needed, the driver as it was published does not survive: %s', (name) => {
  for (const { file, found, fixed } of REPAIRS) {
    const source = path.join(driver, 'src', file)
    writeFileSync(source, readFileSync(source, 'utf8').replace(fixed, found))
  }
  expect(play(name)).toBe(SCENARIOS[name].published)
})

it('refuses another version than the one it was written for', () => {
  writeFileSync(path.join(driver, 'src', 'connection.js'), '// another version\n')
  expect(() => patchPostgres(root)).toThrow('is not of postgres 3.4.9')
})
