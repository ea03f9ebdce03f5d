import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { createDatabase } from '@/db/client'
import { configurationAddress, findProviderProblem } from '@/lib/adapters/identity-provider'
import { secretsUnder } from '@/lib/adapters/secrets'
import { isWithoutUsers, setupPath } from '@/lib/domain/directory/setup'
import { type Environment, parseEnvironment, unknownSettings } from '@/lib/env'
import { requireLimits, sandboxLimits } from '@/lib/sandbox/limits'
import { BUNDLED_CHILDREN } from '@/lib/sandbox/programs'
import { buildIfStale } from '../build/build'
import { prepareDatabase } from '../prepare-database'
import { V8_FLAGS } from '../web/v8-flags'
import { Child } from './child'
import { claimDataFolder } from './claim'
import { openServer, type RunningDatabase, runOwn } from './database'
import { demoPasswordFile, fillDemo, hasDemo } from './demo'
import { whenStarterIsGone } from './parent'
import { requirePort } from './port'
import { childEnvironment, chooseUploads, describeUploads, proveStorage, requireFolder } from './prepare'
import { waitUntilReady } from './readiness'
import { bold, dim, say } from './screen'

/**
 * Runs the whole product: database, migration, demo workspace, web, worker; until it is stopped. Ends the process
 * with 0 after an orderly stop, with 1 and a sentence when it cannot start.
 */
export async function supervise({ dev }: { dev: boolean }): Promise<never> {
  const stop = new AbortController()
  // npm passes a Ctrl-C on that the terminal has sent us as well, so hearing it twice means nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  whenStarterIsGone(() => stop.abort())
  /** What has been started, last first to be stopped. */
  const started: (() => unknown)[] = []
  let failure: unknown
  try {
    await run(dev, stop.signal, started)
    await aborted(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) failure = error
  }
  if (failure) process.stderr.write(`\n${sentenceOf(failure)}\n\n`)
  else say('\nStopping ...')
  for (const end of started.reverse()) {
    try {
      await end()
    } catch (error) {
      process.stderr.write(`${sentenceOf(error)}\n`)
      failure ??= error
    }
  }
  if (!failure) say('Stopped.')
  process.exit(failure ? 1 : 0)
}

async function run(dev: boolean, signal: AbortSignal, started: (() => unknown)[]) {
  const settings = parseEnvironment(process.env)
  for (const sentence of unknownSettings(process.env)) say(sentence)
  const { DATA_DIR, PORT, BASE_URL } = settings
  requireFolder(DATA_DIR)
  requireLimits()
  const logs = path.join(DATA_DIR, 'logs')
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const claim = await claimDataFolder(DATA_DIR, BASE_URL)
  started.push(() => claim.release())
  await requirePort(PORT, claim.recovered ? 5_000 : 1_000)

  if (!dev) {
    const beganAt = Date.now()
    const note = setTimeout(() => say('Building (a minute or so, when the sources have changed) ...'), 300)
    const built = await buildIfStale(process.cwd(), path.join(logs, 'build.log'), signal).finally(() =>
      clearTimeout(note),
    )
    if (built) say(`Built in ${Math.round((Date.now() - beganAt) / 1000)} s.`)
  }
  signal.throwIfAborted()

  const uploads = await chooseUploads(settings)
  signal.throwIfAborted()
  const children: Child[] = []
  const database: RunningDatabase = process.env.DATABASE_URL?.trim()
    ? await openServer(settings)
    : await runOwn(DATA_DIR, async (url) => {
        await Promise.all(children.map((child) => child.restart(childEnvironment(settings, url, uploads, dev))))
      })
  started.push(() => database.stop())
  signal.throwIfAborted()
  await prepareDatabase(settings, database.directUrl)
  signal.throwIfAborted()

  const env = childEnvironment(settings, database.url, uploads, dev)
  await proveStorage(settings, database.directUrl)
  signal.throwIfAborted()
  const password = settings.DEMO ? await fillDemo(env, DATA_DIR, signal) : null
  const child = (name: string, args: string[]) => new Child({ name, args, env, logs, claim, dev })
  const web = child('web', [...V8_FLAGS, 'server/web/main.mjs', ...(dev ? ['--dev'] : [])])
  children.push(web)
  if (settings.WORKER === 'inline') {
    const watch = [path.join('node_modules', 'tsx', 'dist', 'cli.mjs'), 'watch', '--clear-screen=false']
    children.push(child('worker', dev ? [...watch, 'server/worker.ts'] : [path.join(BUNDLED_CHILDREN, 'worker.mjs')]))
  }
  // Web and worker together, both before the database.
  started.push(() => Promise.all(children.map((each) => each.stop())))
  for (const each of children) each.start()
  // In development the worker runs below a watcher, which passes nothing on.
  await waitUntilReady(PORT, dev ? [web] : children, signal)
  const howUploads = settings.STORAGE === 's3' ? describeUploads(uploads) : null
  summarise(settings, password, await findWayIn(settings, database.directUrl), howUploads)
  if (settings.AUTH_OIDC_ISSUER) void reportProvider(settings.AUTH_OIDC_ISSUER)
}

/** The address where the first administrator is made; null when there is an account already. */
async function findWayIn({ AUTH_SECRET, BASE_URL }: Environment, databaseUrl: string): Promise<string | null> {
  const { db, sql } = createDatabase(databaseUrl, { max: 1 })
  try {
    return (await isWithoutUsers(db)) ? BASE_URL + setupPath(secretsUnder(AUTH_SECRET)) : null
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** An identity provider that does not work is reported at the start, and not by the first person who cannot sign in. */
async function reportProvider(issuer: string) {
  const problem = await findProviderProblem(issuer)
  if (!problem) return
  say(`The identity provider cannot be used: ${problem} (${configurationAddress(issuer)}). Passwords still work.`)
}

function summarise(
  { BASE_URL, DATA_DIR, DEMO, WORKER }: Environment,
  password: string | null,
  wayIn: string | null,
  uploads: string | null,
) {
  const line = (label: string, text: string) => say(`  ${dim(label.padEnd(10))}${text}`)
  say(`\n${bold('Greenroom is ready.')}\n`)
  line('Address', bold(BASE_URL))
  if (DEMO && (password || hasDemo(DATA_DIR))) {
    line('Sign in', 'admin@greenroom.test, or coordinator@, operator@, viewer@greenroom.test')
    line(
      'Password',
      password
        ? `${bold(password)}  (the same for all four)`
        : `as first printed; kept in ${demoPasswordFile(DATA_DIR)}`,
    )
  }
  if (wayIn) line('Sign in', `there is no account yet. Make the first administrator at ${bold(wayIn)}`)
  line('Data', `${DATA_DIR}  (logs are in it, too)`)
  if (uploads) line('Uploads', uploads)
  if (WORKER === 'off') line('Worker', 'off: run `npm run worker` for files to be checked')
  for (const limit of sandboxLimits())
    if (!limit.isInForce) line('Sandbox', `without ${limit.what}, which ${limit.how}`)
  line('Stop', 'Ctrl-C')
  say()
}

/** One sentence for people, without a stack; the logs have the rest. */
function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
