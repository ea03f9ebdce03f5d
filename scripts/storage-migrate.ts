import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { eq } from 'drizzle-orm'
import { closeDatabase, database } from '@/db/client'
import { files } from '@/db/schema/files'
import { type Storage, storeOf } from '@/lib/adapters/blob-store/choose'
import { copyObjects, type Journal } from '@/lib/adapters/blob-store/move'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { env } from '@/lib/env'

/**
 * Copies all stored objects to another store, checked by their hashes; run it again and it goes on where it was.
 *
 *   npm run storage:migrate -- --to s3 [--from disk]
 */
const STORES: readonly Storage[] = ['disk', 's3', 'uploadthing']

try {
  const { values } = parseArgs({ options: { to: { type: 'string' }, from: { type: 'string' } } })
  const to = oneOf('--to', values.to)
  const from = values.from === undefined ? env.STORAGE : oneOf('--from', values.from)
  if (from === to)
    throw new Error(`The files are to go from ${from} to ${to}: name two different stores with --from and --to.`)
  await migrate(from, to)
} catch (error) {
  console.error(
    error instanceof StorageUnavailable ? error.explanation : error instanceof Error ? error.message : error,
  )
  process.exitCode = 1
} finally {
  await closeDatabase()
}

async function migrate(from: Storage, to: Storage) {
  const { db } = database()
  const [source, target] = [storeOf(env, () => db, from), storeOf(env, () => db, to)]
  await target.prove()
  let lastSaid = 0
  const done = await copyObjects(source, target, {
    journal: journalIn(path.join(env.DATA_DIR, `storage-${from}-to-${to}.journal`)),
    async hashOf(key) {
      const [row] = await db.select({ sha256: files.sha256 }).from(files).where(eq(files.objectKey, key))
      return row?.sha256
    },
    onProgress({ moved, there, objects, bytes }) {
      if (Date.now() - lastSaid < 2000) return
      lastSaid = Date.now()
      console.log(`${moved + there} of ${objects} objects, ${sizeOf(bytes)} copied`)
    },
  })
  console.log(
    `${done.objects} objects: ${done.moved} copied and compared (${sizeOf(done.bytes)}), ${done.there} were there already.`,
  )
  console.log(
    `Stop Greenroom, run this once more for what came in meanwhile, then start it with STORAGE=${to}. What is in ${from} is left as it is.`,
  )
}

/** One key a line; a line cut short by a crash is no key and does no harm. */
function journalIn(file: string): Journal {
  mkdirSync(path.dirname(file), { recursive: true })
  const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return {
    has: (key) => known.has(key),
    add(key) {
      known.add(key)
      appendFileSync(file, `${key}\n`)
    },
  }
}

function oneOf(option: string, value: string | undefined): Storage {
  const store = STORES.find((name) => name === value)
  if (store) return store
  throw new Error(`${option} is ${value === undefined ? 'missing' : `“${value}”`}; expected ${STORES.join(', ')}.`)
}

function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}
