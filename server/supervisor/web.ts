// `npm run web`: the web processes and nothing else, for a machine that shares PostgreSQL and the store with others. Lines
// of the log go to standard output. Database, migrations, demo and worker are those of `npm start`, or of other commands.
import { spawn } from 'node:child_process'
import { createDatabase } from '@/db/client'
import { missingMigrations } from '@/db/migrate'
import { secretsUnder } from '@/lib/adapters/secrets'
import { prepareSigningKeys } from '@/lib/domain/certificates/signing-keys'
import { type Environment, EnvironmentError, parseEnvironment, requireSharedSecret, unknownSettings } from '@/lib/env'
import { requireLimits } from '@/lib/sandbox/limits'
import { isBuildStale } from '../build/build'
import { V8_FLAGS } from '../web/v8-flags'
import { openServer } from './database'
import { whenStarterIsGone } from './parent'
import { requirePort } from './port'
import { childEnvironment, chooseUploads, describeUploads, proveStorage, requireFolder } from './prepare'

try {
  const settings = parseEnvironment(process.env)
  for (const sentence of unknownSettings(process.env)) console.error(sentence)
  if (!process.env.DATABASE_URL?.trim()) {
    throw new EnvironmentError('DATABASE_URL is not set: npm run web brings no database of its own, npm start does.')
  }
  requireSharedSecret(process.env)
  if (isBuildStale(process.cwd())) throw new Error('This version is not built: run npm run build first.')
  requireFolder(settings.DATA_DIR)
  requireLimits()
  await requirePort(settings.PORT, 1_000)
  const { url, directUrl } = await openServer(settings)
  await requireMigrations(directUrl)
  await requireSameSecret(settings)
  await proveStorage(settings, directUrl)
  const uploads = await chooseUploads(settings)
  if (settings.STORAGE === 's3') console.error(`Uploads go ${describeUploads(uploads)}.`)
  // Workers are other processes: that there is none at the moment does not make this one unready.
  serve({ ...childEnvironment(settings, url, uploads, false), WORKER: 'off' })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function requireMigrations(url: string) {
  const missing = await missingMigrations(url)
  if (missing === 0) return
  throw new Error(
    `The database lacks ${missing} ${missing === 1 ? 'migration' : 'migrations'} of this version: run npm run migrate first.`,
  )
}

/** @throws WrongSecret when the database is used with another AUTH_SECRET */
async function requireSameSecret({ DATABASE_DIRECT_URL, AUTH_SECRET }: Environment) {
  const { db, sql } = createDatabase(DATABASE_DIRECT_URL, { max: 1 })
  try {
    await prepareSigningKeys(db, secretsUnder(AUTH_SECRET))
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function serve(env: NodeJS.ProcessEnv) {
  // In a session of its own: a Ctrl-C reaches us alone, and is passed on once. By the channel it notices when we are gone.
  const child = spawn(process.execPath, [...V8_FLAGS, 'server/web/main.mjs'], {
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let stopping = false
  const stop = () => {
    if (!stopping) child.kill('SIGTERM')
    stopping = true
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  whenStarterIsGone(stop)
  child.once('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  // After an order to stop, also what ended by `endNow` ended well.
  child.once('exit', (code) => process.exit(stopping ? 0 : (code ?? 1)))
}
