import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { emptyTables, testDatabaseUrl, testSql } from '@/db/testing'
import { makeBatch, makeComment, makeEstimate, makeUploadLink } from '@/fixtures/factories'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { S3BlobStore } from '@/lib/adapters/blob-store/s3'
import { StagingFolder } from '@/lib/adapters/blob-store/staging-folder'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { verifyChain } from '@/lib/domain/audit/chain'
import type { BlobKey, BlobStore } from '@/lib/domain/kernel/blob-store'
import { as } from '@/lib/domain/testing'
import { parseEnvironment } from '@/lib/env'
import { sealAudit, storedHead } from '@/lib/jobs/seal-audit'
import { removeObjects, removeUnclaimed } from '@/lib/jobs/sweep'
import { prepareDatabase } from '@/server/prepare-database'
import { backUp } from './back-up'
import { targetAt } from './choose-target'
import { type FoundBackup, listBackups, readManifest, writeManifest } from './manifest'
import { chooseBackup, restore, restoreObjects, secretIn, verifyBackup } from './restore'
import { listingName, objectName, type Target } from './target'
import { isThere, newFolder, objectsIn, rowsOf, SECRET, storeFile, withBlankDatabase } from './testing'

const settings = (given: Record<string, string> = {}) =>
  parseEnvironment({ BASE_URL: 'http://localhost:3000', ...given })
const credentials = { accessKeyId: 'BACKUP', secretAccessKey: 'secret' }

let place: string
let blobs: BlobStore
let target: Target
let batch: Awaited<ReturnType<typeof makeBatch>>

beforeEach(async () => {
  await emptyTables()
  place = newFolder()
  blobs = new DiskBlobStore(newFolder())
  target = await targetAt(place, settings())
  batch = await makeBatch()
})

const take = (given: Partial<Parameters<typeof backUp>[0]> = {}) =>
  backUp({
    databaseUrl: testDatabaseUrl,
    blobs,
    target,
    authSecret: SECRET,
    version: '0.0.0-test',
    withSecrets: false,
    onProgress: () => {},
    ...given,
  })

/** Into a database and a store of its own, migrated as a start would; then inspected. */
async function restored<T>(
  inspect: (made: {
    url: string
    sql: Parameters<Parameters<typeof withBlankDatabase>[0]>[0]['sql']
    blobs: BlobStore
  }) => Promise<T>,
  given: { at?: Date; into?: BlobStore; keepsStore?: boolean; backup?: FoundBackup; dataDir?: string } = {},
) {
  const into = given.into ?? new DiskBlobStore(newFolder())
  const dataDir = given.dataDir ?? newFolder()
  mkdirSync(dataDir, { recursive: true })
  return withBlankDatabase(async ({ url, db, sql }) => {
    const backup = given.backup ?? (await chooseBackup(target, { at: given.at ?? null, authSecret: SECRET }))
    await restore({
      ctx: as('system', { db, ports: { blobs: into } }),
      databaseUrl: url,
      target,
      backup,
      dataDir,
      keepsStore: given.keepsStore ?? false,
      onProgress: () => {},
    })
    await prepareDatabase({ DATA_DIR: dataDir, AUTH_SECRET: SECRET }, url)
    return inspect({ url, sql, blobs: into })
  })
}

/** Replaces what lies in the target under this name. */
const alter = async (name: string, change: (bytes: Buffer) => Buffer) =>
  writeFile(path.join(place, name), change(await readFile(path.join(place, name))))
const flipped = (bytes: Buffer) => {
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

/** A service with something of everything. */
async function fill() {
  const link = await makeUploadLink(batch, { useCount: 1, label: 'Link \t with a tab, a \\ and “quotes”\n' })
  const first = await storeFile(blobs, batch, { name: 'first.png' })
  const second = await storeFile(blobs, batch, { version: 2, supersedesId: first.id, sourceLinkId: link.id })
  await makeComment(second, { body: 'Text in 日本語, \u0001 and \\N' })
  await makeEstimate({ number: 'EST-2026-0001', projectId: batch.projectId })
  for (let index = 0; index < 3; index += 1)
    await database().db.insert(events).values({ type: 'settings.updated', actorType: 'system', actorName: 'A test' })
  await sealAudit(as('system', { ports: { blobs } }))
  await testSql`select graphile_worker.add_job('check_file', '{"result_id":"a"}', job_key => 'check_file:a', priority => -5, run_at => now() + interval '1 hour')`
  await testSql`select graphile_worker.add_job('send_mail', '{"user_id":"b"}', queue_name => 'mails')`
  await testSql`update graphile_worker._private_jobs set attempts = 3, locked_at = now(), locked_by = 'worker-x' where key is null`
  return { first, second }
}

describe('a backup', () => {
  it('gives everything back: rows, objects, jobs, sequences, the chain', async () => {
    await fill()
    const { manifest, missing } = await take()
    expect(missing).toEqual([])
    expect(manifest.objects).toMatchObject({ count: 4, missing: 0 })
    const scratch = ['signing_keys', 'workers', 'rate_limits']
    const [rows, objects] = [await rowsOf(testSql, scratch), await objectsIn(blobs)]
    await restored(async (made) => {
      const got = await rowsOf(made.sql, scratch)
      const unlocked = (jobs?: string[]) => jobs?.map((job) => job.replace('"attempts":3', '"attempts":2'))
      expect({ ...got, jobs: [] }).toEqual({ ...rows, jobs: [] })
      expect(got.jobs).toEqual(unlocked(rows.jobs))
      expect(got.users?.length).toBeGreaterThan(1)
      expect(await objectsIn(made.blobs)).toEqual(objects)
      expect(await storedHead(made.blobs)).toEqual(manifest.audit_head)
      const [next] = await made.sql<{ next: string }[]>`select nextval('events_sequence_seq') as next`
      const [last] = await testSql<{ last: string }[]>`select max(sequence) as last from events`
      expect(Number(next?.next)).toBe(Number(last?.last) + 1)
    })
  })

  it('keeps the chain of the audit trail whole', async () => {
    await fill()
    const { manifest } = await take()
    await restored(async ({ url }) => {
      const { createDatabase } = await import('@/db/client')
      const opened = createDatabase(url, { max: 1 })
      expect(await verifyChain(opened.db, new Date(), { known: manifest.audit_head })).toMatchObject({
        fault: null,
        sealed: 3,
      })
      await opened.sql.end()
    })
  })

  it('is readable for its owner only, and says nothing of AUTH_SECRET unless it is asked to', async () => {
    await fill()
    const mask = process.umask(0)
    try {
      const { id } = await take()
      for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
        const { mode } = statSync(path.join(entry.parentPath, entry.name))
        expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600])
        if (entry.isFile() && !entry.name.endsWith('.gz'))
          expect(readFileSync(path.join(entry.parentPath, entry.name)).includes(SECRET)).toBe(false)
      }
      expect(await secretIn(target, await readManifest(target, id, SECRET))).toBeNull()
      const other = await take({ withSecrets: true })
      expect(await secretIn(target, await readManifest(target, other.id, SECRET))).toBe(SECRET)
    } finally {
      process.umask(mask)
    }
  })

  it('copies only what the target does not hold, and reads no image twice', async () => {
    const { first } = await fill()
    expect((await take()).progress).toMatchObject({ objects: 4, copied: 4 })
    const added = await storeFile(blobs, batch)
    const read: string[] = []
    const watched: BlobStore = Object.assign(Object.create(blobs), {
      read: (key: BlobKey) => {
        read.push(key)
        return blobs.read(key)
      },
    })
    expect((await take({ blobs: watched })).progress).toMatchObject({ objects: 6, copied: 2 })
    expect(new Set(read)).toEqual(new Set([added.objectKey, `derived/${added.id}/thumbnail.webp`]))
    // Lost from the target, it is copied again.
    rmSync(path.join(place, objectName(first.sha256)))
    expect((await take()).progress).toMatchObject({ objects: 6, copied: 1 })
    const redrawn = `derived/${first.id}/thumbnail.webp` as BlobKey
    await blobs.delete(redrawn)
    await storeBytes(blobs, randomBytes(900), redrawn)
    expect((await take()).progress).toMatchObject({ copied: 1 })
  })

  it('names objects that are missing or damaged, and is complete without them', async () => {
    const { first, second } = await fill()
    await blobs.delete(first.objectKey as BlobKey)
    await blobs.delete(second.objectKey as BlobKey)
    await storeBytes(blobs, randomBytes(20_000), second.objectKey as BlobKey)
    const { manifest, missing } = await take()
    expect(missing.sort()).toEqual([`${first.objectKey} is missing`, `${second.objectKey} is damaged`].sort())
    expect(manifest.objects).toMatchObject({ count: 4, missing: 2 })
    await restored(async (made) => expect((await objectsIn(made.blobs)).size).toBe(2))
  })

  it('loses nothing of what was acknowledged before its moment, while everything goes on', async () => {
    await fill()
    const victims = await Promise.all(Array.from({ length: 12 }, () => storeFile(blobs, batch)))
    const acknowledged: { id: string; key: string; at: number }[] = []
    let isOver = false
    const load = async () => {
      while (!isOver) {
        const file = await storeFile(blobs, batch, { bytes: randomBytes(5_000) })
        acknowledged.push({ id: file.id, key: file.objectKey, at: Date.now() })
        await makeComment(file)
        const victim = victims.pop()
        if (!victim) continue
        // As the deletion of a file does it: the row goes, and its job at once.
        await database().db.delete(files).where(eq(files.id, victim.id))
        await removeObjects(as('system', { ports: { blobs } }), { file_id: victim.id, object_key: victim.objectKey })
        await removeUnclaimed(as('system', { ports: { blobs } }), [victim.objectKey as BlobKey])
      }
    }
    const loads = [load(), load(), load()]
    await expect.poll(() => acknowledged.length).toBeGreaterThan(10)
    const { manifest, missing } = await take()
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
    isOver = true
    await Promise.all(loads)
    expect(missing).toEqual([])
    const before = acknowledged.filter(({ at }) => at < Date.parse(manifest.taken_at))
    expect(before.length).toBeGreaterThan(10)
    await restored(async (made) => {
      const rows = new Set((await made.sql`select id from files`).map(({ id }) => id))
      for (const { id, key } of before) {
        expect(rows.has(id)).toBe(true)
        expect(await isThere(made.blobs, key)).toBe(true)
      }
      // Whatever has a row has its bytes.
      const named = await made.sql<{ object_key: string; sha256: string }[]>`select object_key, sha256 from files`
      const objects = await objectsIn(made.blobs)
      for (const { object_key, sha256 } of named) expect(objects.get(object_key as BlobKey)).toBe(sha256)
    })
  })

  it('keeps objects from being deleted while it runs, and has them deleted afterwards', async () => {
    const { first, second } = await fill()
    const gate = gated(blobs)
    const running = take({ blobs: gate.blobs })
    await gate.reached
    const ctx = as('system', { ports: { blobs } })
    await database().db.delete(files).where(eq(files.id, second.id))
    await removeObjects(ctx, { file_id: second.id, object_key: second.objectKey })
    expect(await removeUnclaimed(ctx, [second.objectKey as BlobKey])).toBe(0)
    expect(await isThere(blobs, second.objectKey)).toBe(true)
    const [later] = await testSql`
      select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'remove_objects' and j.run_at > now() + interval '5 minutes'`
    expect(later?.payload).toEqual({ file_id: second.id, object_key: second.objectKey })
    gate.open()
    expect((await running).missing).toEqual([])
    await removeObjects(ctx, { file_id: second.id, object_key: second.objectKey })
    expect(await isThere(blobs, second.objectKey)).toBe(false)
    await restored(async (made) => {
      expect(await isThere(made.blobs, second.objectKey)).toBe(true)
      expect(await isThere(made.blobs, first.objectKey)).toBe(true)
    })
  })

  it('refuses to run twice at the same time, and finishes the first', async () => {
    await fill()
    const gate = gated(blobs)
    const running = take({ blobs: gate.blobs })
    await gate.reached
    await expect(take()).rejects.toThrow('A backup of this database is already running.')
    gate.open()
    expect((await running).manifest.objects.count).toBe(4)
    expect(await listBackups(target)).toHaveLength(1)
    await take()
  })

  it('that is broken off leaves no backup, and the next goes on where it was', async () => {
    await fill()
    let puts = 0
    const breaking: Target = Object.assign(Object.create(target), {
      put: (name: string, bytes: AsyncIterable<Uint8Array>) =>
        name.startsWith('objects/') && ++puts > 2 ? Promise.reject(new Error('the cable')) : target.put(name, bytes),
    })
    await expect(take({ target: breaking })).rejects.toThrow('the cable')
    expect(await listBackups(target)).toEqual([])
    await expect(chooseBackup(target, { at: null, authSecret: SECRET })).rejects.toThrow('holds no complete backup')
    expect((await take()).progress).toMatchObject({ objects: 4, copied: 2 })
    await restored(async (made) => expect((await objectsIn(made.blobs)).size).toBe(4))
  })

  it('that was killed leaves nothing half written behind', async () => {
    await fill()
    const { FolderTarget } = await import('./folder-target')
    await new FolderTarget(place).open()
    writeFileSync(path.join(place, 'partial', randomUUID()), 'half a file')
    await take()
    expect(await readdir(path.join(place, 'partial'))).toEqual([])
  })

  it('refuses a target that holds other things, or another Greenroom’s backups', async () => {
    await fill()
    mkdirSync(place)
    writeFileSync(path.join(place, 'holiday.jpg'), 'x')
    await expect(take()).rejects.toThrow(/holds other things than backups/)
    expect(await readdir(place)).toEqual(['holiday.jpg'])
    rmSync(path.join(place, 'holiday.jpg'))
    await take()
    await emptyTables()
    batch = await makeBatch()
    await fill()
    await expect(take()).rejects.toThrow(/holds backups of another Greenroom/)
    expect(await listBackups(target)).toHaveLength(1)
    await expect(targetAt('ftp://example.com/x', settings())).rejects.toThrow('is no place for backups')
  })

  it('says that a target cannot be used, and why', async () => {
    const file = newFolder()
    writeFileSync(file, '')
    await expect(take({ target: await targetAt(file, settings()) })).rejects.toThrow(/is not what it should be/)
    if (process.getuid?.() === 0) return
    mkdirSync(place, { mode: 0o500 })
    await expect(take()).rejects.toThrow(/may not be used \(EACCES\)/)
    chmodSync(place, 0o700)
  })
})

describe('restoring', () => {
  it('picks the newest complete backup of a moment or before', async () => {
    await fill()
    const first = await take()
    await storeFile(blobs, batch)
    const second = await take()
    const chosen = async (at: Date | null) => (await chooseBackup(target, { at, authSecret: SECRET })).id
    expect(await chosen(null)).toBe(second.id)
    expect(await chosen(new Date(second.manifest.taken_at))).toBe(second.id)
    expect(await chosen(new Date(Date.parse(second.manifest.taken_at) - 1))).toBe(first.id)
    await expect(chosen(new Date(0))).rejects.toThrow(/no backup of 1970-01-01.* or before; the oldest is/)
    rmSync(path.join(place, 'backups', second.id, 'manifest.json'))
    expect(await chosen(null)).toBe(first.id)
    await restored(async (made) => expect((await objectsIn(made.blobs)).size).toBe(4), { at: new Date() })
  })

  it('refuses a database that has rows, and changes nothing there', async () => {
    await fill()
    await take()
    const backup = await chooseBackup(target, { at: null, authSecret: SECRET })
    const rows = await rowsOf(testSql)
    const into = new DiskBlobStore(newFolder())
    await expect(
      restore({
        ctx: as('system', { ports: { blobs: into } }),
        databaseUrl: testDatabaseUrl,
        target,
        backup,
        dataDir: newFolder(),
        keepsStore: false,
        onProgress: () => {},
      }),
    ).rejects.toThrow(/The database is not empty: the table \w+ has rows/)
    expect(await rowsOf(testSql)).toEqual(rows)
    expect((await objectsIn(into)).size).toBe(0)
  })

  it('refuses a store that holds anything, unless the command says that it is that store', async () => {
    const { first } = await fill()
    await take()
    const into = new DiskBlobStore(newFolder())
    const other = await storeBytes(into, randomBytes(10))
    await expect(restored(async () => {}, { into })).rejects.toThrow(/The store is not empty: it holds files\//)
    await blobs.delete(first.objectKey as BlobKey)
    await storeBytes(blobs, randomBytes(20_000), first.objectKey as BlobKey)
    const objects = await objectsIn(blobs)
    await restored(
      async () => {
        const after = await objectsIn(blobs)
        expect(after.get(first.objectKey as BlobKey)).toBe(first.sha256)
        expect([...after.keys()]).toEqual([...objects.keys()])
      },
      { into: blobs, keepsStore: true },
    )
    expect(await isThere(into, other)).toBe(true)
  })

  it('goes on after it was broken off', async () => {
    await fill()
    await take()
    const dataDir = newFolder()
    const into = new DiskBlobStore(newFolder())
    let commits = 0
    const breaking: BlobStore = Object.assign(Object.create(into), {
      list: () => into.list(),
      commit: (...given: Parameters<BlobStore['commit']>) =>
        ++commits > 2 ? Promise.reject(new Error('the power')) : into.commit(...given),
    })
    await expect(restored(async () => {}, { into: breaking, dataDir })).rejects.toThrow('the power')
    expect((await objectsIn(into)).size).toBe(2)
    await restored(async (made) => expect((await objectsIn(made.blobs)).size).toBe(4), { into, dataDir })
  })

  it('refuses what was damaged: objects, rows, the listing, the manifest; and writes no row', async () => {
    const { first, second } = await fill()
    const { id } = await take()
    const names = [
      objectName(first.sha256),
      listingName(id),
      `backups/${id}/rows/users.copy.gz`,
      `backups/${id}/rows/jobs_of_queue.copy.gz`,
    ]
    for (const name of names) {
      const whole = await readFile(path.join(place, name))
      await alter(name, flipped)
      await withBlankDatabase(async ({ url, db, sql }) => {
        const dataDir = newFolder()
        mkdirSync(dataDir)
        const ctx = as('system', { db, ports: { blobs: new DiskBlobStore(newFolder()) } })
        const backup = await chooseBackup(target, { at: null, authSecret: SECRET })
        const given = { ctx, databaseUrl: url, target, backup, dataDir, keepsStore: false, onProgress: () => {} }
        await expect(restore(given)).rejects.toThrow(/is damaged|cannot be read/)
        await expect(verifyBackup(given)).rejects.toThrow(/is damaged|cannot be read/)
        const [there] = await sql`select to_regclass('users') is not null as there`
        if (there?.there) expect((await sql`select count(*)::int as count from users`)[0]?.count).toBe(0)
      })
      await writeFile(path.join(place, name), whole)
    }
    rmSync(path.join(place, objectName(second.sha256)))
    const backup = await chooseBackup(target, { at: null, authSecret: SECRET })
    await expect(verifyBackup({ target, backup, onProgress: () => {} })).rejects.toThrow(
      new RegExp(`${second.sha256}.* has no bytes at all|has no objects|${second.sha256}`),
    )
    await alter(`backups/${id}/manifest.json`, (bytes) =>
      Buffer.from(bytes.toString().replace(/"rows": \d+/, '"rows": 77')),
    )
    expect((await chooseBackup(target, { at: null, authSecret: SECRET })).isSigned).toBe(false)
    await alter(`backups/${id}/manifest.json`, (bytes) => bytes.subarray(0, 100))
    await expect(chooseBackup(target, { at: null, authSecret: SECRET })).rejects.toThrow('is not a manifest')
  })

  it('knows who wrote a manifest by the secret', async () => {
    await fill()
    await take()
    const signedBy = async (authSecret: string | null) =>
      (await chooseBackup(target, { at: null, authSecret })).isSigned
    expect([await signedBy(SECRET), await signedBy(`${SECRET}!`), await signedBy(null)]).toEqual([true, false, false])
  })

  it.each([
    ['a key that leads out of the store', { key: 'files/../../../etc/passwd' }],
    ['a key that is none', { key: '/etc/passwd' }],
    ['a hash that leads out of the target', { sha256: '../../../../etc/passwd' }],
    ['an absolute name for a hash', { sha256: '/etc/shadow' }],
  ])('refuses %s, even in a manifest that is signed', async (_, change) => {
    await fill()
    const { id, manifest } = await take()
    const name = listingName(id)
    const lines = gunzipSync(await readFile(path.join(place, name)))
      .toString()
      .trim()
      .split('\n')
    const [first, ...rest] = lines.map((line) => JSON.parse(line))
    const bytes = gzipSync(`${[{ ...first, ...change }, ...rest].map((line) => JSON.stringify(line)).join('\n')}\n`)
    await writeFile(path.join(place, name), bytes)
    const { createHash } = await import('node:crypto')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const objects = { ...manifest.objects, bytes: bytes.length, sha256 }
    rmSync(path.join(place, 'backups', id, 'manifest.json'))
    await writeManifest(target, { ...manifest, objects }, SECRET)
    await expect(restored(async () => {})).rejects.toThrow('holds a line that is none')
  })

  it('refuses tables and sequences whose names are none, and those that are not there', async () => {
    await fill()
    const { id, manifest } = await take()
    const rewrite = async (change: Partial<typeof manifest>) => {
      rmSync(path.join(place, 'backups', id, 'manifest.json'))
      await writeManifest(target, { ...manifest, ...change }, SECRET)
    }
    const [table] = manifest.tables
    for (const name of ['../../etc/passwd', 'users"; drop table users; --', 'Users']) {
      await rewrite({ tables: manifest.tables.map((each) => (each === table ? { ...each, name } : each)) })
      await expect(restored(async () => {})).rejects.toThrow('is not a manifest')
    }
    await rewrite({ sequences: [{ name: 'no_such_sequence', last: '4' }] })
    await expect(restored(async () => {})).rejects.toThrow('There is no sequence no_such_sequence')
    await rewrite({ tables: manifest.tables.filter(({ name }) => name !== 'files') })
    await expect(restored(async () => {})).rejects.toThrow('The backup has no rows of the table files.')
  })

  it('refuses a backup of a newer version', async () => {
    await fill()
    const { id, manifest } = await take()
    rmSync(path.join(place, 'backups', id, 'manifest.json'))
    const migrations = [...manifest.migrations, { made_at: 9_999_999_999_999, sha256: 'a'.repeat(64) }]
    await writeManifest(target, { ...manifest, migrations }, SECRET)
    await expect(restored(async () => {})).rejects.toThrow(/is newer than this Greenroom/)
  })

  it('takes a backup of an older version, and migrates it', async () => {
    await withBlankDatabase(async (older) => {
      const { prepareEmpty } = await import('./restore-rows')
      await fill()
      const { manifest } = await take()
      const migrations = manifest.migrations.slice(0, 24)
      const backup = { id: 'x', manifest: { ...manifest, migrations }, isSigned: true }
      await prepareEmpty(older.db, older.url, backup)
      await older.sql`insert into users (id, email, name, role) values (${randomUUID()}, 'old@example.test', 'Old', 'viewer')`
      place = newFolder()
      target = await targetAt(place, settings())
      const taken = await take({ databaseUrl: older.url, blobs: new DiskBlobStore(newFolder()), target })
      expect(taken.manifest.migrations).toHaveLength(24)
    })
    await restored(async ({ sql }) => {
      expect((await sql`select email from users`).map(({ email }) => email)).toEqual(['old@example.test'])
      expect((await sql`select count(*)::int as count from signing_keys`)[0]?.count).toBe(1)
    })
  })

  it('puts back into a running service what its store lost, and nothing else', async () => {
    const { first, second } = await fill()
    await take()
    await blobs.delete(first.objectKey as BlobKey)
    await blobs.delete(second.objectKey as BlobKey)
    await storeBytes(blobs, randomBytes(20_000), second.objectKey as BlobKey)
    const gone = await storeFile(blobs, batch)
    await take()
    await database().db.delete(files).where(eq(files.id, gone.id))
    await blobs.delete(gone.objectKey as BlobKey)
    const [backup] = await Promise.all((await listBackups(target)).map((id) => readManifest(target, id, SECRET)))
    const outcome = await restoreObjects({
      ctx: as('system', { ports: { blobs } }),
      target,
      backup: backup as FoundBackup,
      onProgress: () => {},
    })
    expect(outcome).toMatchObject({ written: 2, there: 2 })
    const objects = await objectsIn(blobs)
    expect(objects.get(first.objectKey as BlobKey)).toBe(first.sha256)
    expect(objects.get(second.objectKey as BlobKey)).toBe(second.sha256)
    expect(objects.has(gone.objectKey as BlobKey)).toBe(false)
  })
})

describe('with buckets', () => {
  let server: Awaited<ReturnType<typeof startS3Server>>
  afterEach(() => server.stop())
  beforeEach(async () => {
    server = await startS3Server({ bucket: 'store', ...credentials })
    server.set({ pageSize: 7 })
    blobs = bucket('files/')
  })
  const bucket = (prefix: string) =>
    new S3BlobStore(new StagingFolder(newFolder()), {
      bucket: 'store',
      region: 'us-east-1',
      endpoint: server.endpoint,
      credentials,
      prefix,
    })
  const inBucket = () =>
    targetAt(
      's3://store/backups-of-us',
      settings({
        BACKUP_S3_ENDPOINT: server.endpoint,
        BACKUP_S3_ACCESS_KEY_ID: credentials.accessKeyId,
        BACKUP_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      }),
    )

  it('goes from a bucket to a bucket, and back', async () => {
    target = await inBucket()
    const { second } = await fill()
    await storeFile(blobs, batch, { bytes: randomBytes(20_000_000) })
    const objects = await objectsIn(blobs)
    expect((await take()).progress).toMatchObject({ objects: 6, copied: 6 })
    expect((await take()).progress).toMatchObject({ objects: 6, copied: 0 })
    await restored(
      async (made) => {
        expect(await objectsIn(made.blobs)).toEqual(objects)
        expect(objects.get(second.objectKey as BlobKey)).toBe(second.sha256)
      },
      { into: bucket('new/') },
    )
    await restored(async (made) => expect(await objectsIn(made.blobs)).toEqual(objects))
  })

  it('says that the bucket is full, refuses us, or is not there; and leaves no manifest', async () => {
    target = await inBucket()
    await fill()
    const failing = async (fault: 'full' | 'forbidden') => {
      server.breaks((operation) => (operation === 'put' ? fault : undefined))
      const failed = take()
      await expect(failed).rejects.toThrow(fault === 'full' ? /is full/ : /refuses these credentials/)
      server.breaks()
    }
    await failing('full')
    await failing('forbidden')
    expect(await listBackups(target)).toEqual([])
    const elsewhere = await targetAt(
      's3://nowhere',
      settings({
        BACKUP_S3_ENDPOINT: server.endpoint,
        BACKUP_S3_ACCESS_KEY_ID: 'BACKUP',
        BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
      }),
    )
    await expect(take({ target: elsewhere })).rejects.toThrow(/The bucket “nowhere” does not exist/)
    expect((await take()).manifest.objects.count).toBe(4)
  })

  it('does not take the place of the files for one of backups', async () => {
    await fill()
    target = await targetAt(
      's3://store/files',
      settings({
        BACKUP_S3_ENDPOINT: server.endpoint,
        BACKUP_S3_ACCESS_KEY_ID: 'BACKUP',
        BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
      }),
    )
    await expect(take()).rejects.toThrow(/holds other things/)
  })
})

/** A store whose first reading waits. */
function gated(blobs: BlobStore) {
  const hold = new PassThrough()
  let arrive = () => {}
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const wait = once(hold, 'open')
  return {
    reached,
    open: () => hold.emit('open'),
    blobs: Object.assign(Object.create(blobs), {
      async read(key: BlobKey) {
        arrive()
        await wait
        return blobs.read(key)
      },
    }) as BlobStore,
  }
}
