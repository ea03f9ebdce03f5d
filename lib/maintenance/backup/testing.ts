import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'
import { afterAll, inject } from 'vitest'
import { createDatabase, type Database } from '@/db/client'
import type { files } from '@/db/schema/files'
import { makeFile } from '@/fixtures/factories'
import { keysOf, storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { type BlobKey, BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import { copyOut } from '@/server/workarounds/copy-out'
import { sumOf } from './streams'

/** What tests of backup and restore stand on. */

export const SECRET = 'the secret of a test, long enough for anybody'

/** A folder that is gone after the tests of the file. */
const workFolder = mkdtempSync(path.join(tmpdir(), 'greenroom-backup-test-'))
afterAll(() => rmSync(workFolder, { recursive: true, force: true }))
export const newFolder = () => path.join(workFolder, randomUUID())

/** A database without a table. */
export async function withBlankDatabase<T>(
  work: (database: { url: string; db: Database; sql: postgres.Sql }) => Promise<T>,
) {
  const cluster = postgres(inject('testCluster'), { max: 1, onnotice: () => {} })
  const name = `blank_${randomUUID().replaceAll('-', '')}`
  await cluster.unsafe(`create database ${name}`)
  const url = new URL(inject('testCluster'))
  url.pathname = `/${name}`
  const opened = createDatabase(url.href, { max: 4 })
  try {
    return await work({ url: url.href, ...opened })
  } finally {
    await opened.sql.end({ timeout: 5 })
    await cluster.unsafe(`drop database if exists ${name} with (force)`)
    await cluster.end({ timeout: 5 })
  }
}

/** The row of a file with its bytes in the store; with images, unless asked otherwise. */
export async function storeFile(
  blobs: BlobStore,
  batch: { id: string; projectId: string },
  given: Partial<typeof files.$inferInsert> & { bytes?: Buffer } = {},
) {
  const { bytes = randomBytes(20_000), ...columns } = given
  const objectKey = await storeBytes(blobs, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = await makeFile(batch, {
    objectKey,
    sha256,
    size: bytes.length,
    previews: { thumbnail: true, preview: false },
    ...columns,
  })
  if (file.previews?.thumbnail) await storeBytes(blobs, randomBytes(700), `derived/${file.id}/thumbnail.webp`)
  return file
}

/** Every row of every table as text, by table, in an order of its own; jobs by what they are. */
export async function rowsOf(sql: postgres.Sql, not: readonly string[] = []): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    if (not.includes(name)) continue
    const stream = await sql.unsafe(`copy "${name}" to stdout`).readable()
    rows[name] = (await text(copyOut(stream))).split('\n').sort()
  }
  const jobs = await sql`
    select t.identifier, j.payload::text, j.run_at, j.priority, j.max_attempts, j.key, j.attempts
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`
  rows.jobs = jobs.map((job) => JSON.stringify(job)).sort()
  return rows
}

/** The SHA-256 of every object. */
export async function objectsIn(blobs: BlobStore): Promise<Map<BlobKey, string>> {
  const found = new Map<BlobKey, string>()
  for (const key of await keysOf(blobs)) found.set(key, (await sumOf(await blobs.read(key))).sha256)
  return found
}

export const isThere = (blobs: BlobStore, key: string) =>
  blobs.size(key as BlobKey).then(
    () => true,
    (error: unknown) => {
      if (error instanceof BlobNotFound) return false
      throw error
    },
  )
