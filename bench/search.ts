// `npm run bench:search`: how long a search takes on little and on much data: `search` itself, with everything that the
// palette and the search page ask, in this process, on databases of its own. Options:
//   --files 1000 --files 1000000   the sizes to compare (default 1000 and 1000000)
//   --keep FOLDER                  databases stay there, and are filled once
//   --rounds 5                     how often each is asked, after once that is not counted
// Ends with p50 and p95 of each size and their ratio; wanted are 100 ms at p95 of the largest.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { createDatabase, type Database } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import type { Context } from '@/lib/domain/kernel/operation'
import { search } from '@/lib/domain/search/queries'
import { clusterIn, startCluster } from '@/server/embedded-database/cluster'
import { ASKERS, fill } from './search/fill'

const WANTED_MS = 100

const { values: options } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    keep: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
})
const sizes = (options.files ?? ['1000', '1000000']).map(Number)
if (sizes.some((files) => !Number.isInteger(files) || files < 1000))
  throw new Error(`--files is ${options.files?.join(', ')}: expected whole numbers from 1000.`)

/** What is typed, and what is particular about it. */
const TYPED: [q: string, what: string][] = [
  ['scale', 'in every name'],
  ['png', 'in every file name'],
  ['summer', 'in a quarter'],
  ['classic', 'in the oldest third'],
  ['marlin', 'in one of 400'],
  ['oliwick', 'in one of 400'],
  ['zebrafish', 'in three'],
  ['qqqxyz', 'in none'],
  ['sc', 'two letters, in every name'],
  ['qx', 'two letters, in none'],
  ['7', 'one character'],
  ['winter banner', 'two words, each in many'],
  ['classic quovex story', 'three words, few have all'],
  ['scale summer banner 300x250 zebrafish', 'five words, none has all'],
  ['zebrafsih', 'misspelt'],
  ['scael banenr', 'misspelt words of many'],
  ['bannerx', 'a key too many'],
  ['SC77', 'a code'],
  ['SCALE-10', 'the number of an estimate'],
  ['0000777', 'a number in a name'],
  ['عرض الصيف', 'from right to left'],
  ['🎬🚀', 'emoji'],
  ['größe', 'with an umlaut'],
  ['pangolin', 'in few comments'],
  ['narwhal', 'in few texts'],
  ['moire', 'in few findings'],
]
/** The palette asks for five of each kind, the search page for eight. */
const LIMITS = [undefined, '8']

const folder = path.resolve(options.keep ?? mkdtempSync(path.join(tmpdir(), 'greenroom-search-')))
mkdirSync(folder, { recursive: true })
chmodSync(folder, 0o711)
let cluster = await startCluster(clusterIn(folder))
try {
  const root = postgres(cluster.url, { max: 1, onnotice: () => {} })
  await root.unsafe(`alter system set shared_buffers = '512MB'`)
  await root.end()
  await cluster.stop()
  cluster = await startCluster(clusterIn(folder))
  const all: number[][] = []
  for (const files of sizes) all.push(await measure(files))
  for (const [index, times] of all.entries())
    console.log(
      `${sizes[index]} files   p50 ${ms(at(times, 0.5))}   p95 ${ms(at(times, 0.95))}   worst ${ms(at(times, 1))}`,
    )
  const [least, most] = [all[0] ?? [], all.at(-1) ?? []]
  const ratio = (share: number) => (at(most, share) / at(least, share)).toFixed(1)
  const isKept = at(most, 0.95) <= WANTED_MS
  console.log(
    `ratio ${sizes.join(' : ')}   p50 ${ratio(0.5)}   p95 ${ratio(0.95)}   (p95 at most ${WANTED_MS} ms: ${isKept ? 'kept' : 'missed'})`,
  )
} finally {
  await cluster.stop()
  if (!options.keep) rmSync(folder, { recursive: true, force: true })
}

async function measure(files: number): Promise<number[]> {
  const url = new URL(cluster.url)
  url.pathname = `/search_${files}`
  const root = postgres(cluster.url, { max: 1, onnotice: () => {} })
  const [exists] = await root`select 1 from pg_database where datname = ${`search_${files}`}`
  if (!exists) await root.unsafe(`create database search_${files}`)
  await root.end()
  await migrateDatabase(url.href)
  const { db, sql } = createDatabase(url.href)
  try {
    const [user] = await sql`select 1 from users limit 1`
    if (!user) await filled(url.href, files)
    return await ask(db, sql, files)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function filled(url: string, files: number) {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { statement_timeout: 0 } })
  const started = performance.now()
  await fill(sql, files)
  await sql.end()
  console.log(`filled ${files} files in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

async function ask(db: Database, sql: postgres.Sql, files: number): Promise<number[]> {
  const times: number[] = []
  for (const [who, { email }] of Object.entries(ASKERS)) {
    const [user] = await sql<
      { id: string; name: string; role: 'viewer' }[]
    >`select id, name, role from users where email = ${email}`
    if (!user) throw new Error(`${email} is not there: fill another folder.`)
    const actor = { type: 'user', ...user, email, scope: 'read', via: 'session' } as const
    for (const [q, what] of TYPED) {
      if (options.only && !new RegExp(options.only).test(q)) continue
      const own: number[] = []
      let found = 0
      for (let round = 0; round <= Number(options.rounds); round++)
        for (const limit of LIMITS) {
          const started = performance.now()
          const { results } = await search.execute(contextOf(actor, db), {}, { q, limit })
          // The first time is that of reading from the disk.
          if (round > 0) own.push(performance.now() - started)
          found = results.length
        }
      times.push(...own)
      console.log(
        `${String(files).padStart(8)}  ${who.padEnd(13)}  ${ms(at(own, 0.5)).padStart(8)}  ${ms(at(own, 1)).padStart(8)}  ${String(found).padStart(3)}  ${q} (${what})`,
      )
    }
  }
  return times
}

/** What a search uses of a context. */
function contextOf(actor: Context['actor'], db: Database): Context {
  const unused = {} as Pick<Context, 'ports' | 'jobOf' | 'react'>
  const credentials = { uploadSession: null, linkPassword: null, linkKey: null }
  return { ...unused, actor, db, now: new Date(), requestId: 'bench', address: null, precondition: null, credentials }
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`
}
