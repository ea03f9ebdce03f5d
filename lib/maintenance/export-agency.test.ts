import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { emptyTables, testSql } from '@/db/testing'
import {
  makeAgency,
  makeAttachment,
  makeBatch,
  makeComment,
  makeEstimate,
  makeProject,
  makeResult,
  makeUploadLink,
  makeUser,
} from '@/fixtures/factories'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { attachmentKey } from '@/lib/domain/files/attachments'
import { type BlobStore, isBlobKey } from '@/lib/domain/kernel/blob-store'
import { newFolder, storeFile } from './backup/testing'
import { EXPORTED, exportAgency, findAgency, NOT_EXPORTED, previewExport } from './export-agency'

let blobs: BlobStore
beforeEach(async () => {
  await emptyTables()
  blobs = new DiskBlobStore(newFolder())
})

/** Two agencies with one of everything each. */
async function twoAgencies() {
  const make = async (name: string, code: string) => {
    const agency = await makeAgency({ name, code })
    const author = await makeUser({ name: `Author of ${name}`, email: `author@${code.toLowerCase()}.example` })
    const project = await makeProject({ agencyId: agency.id, createdBy: author.id, name: `Project of ${name}` })
    const batch = await makeBatch({ projectId: project.id })
    const link = await makeUploadLink(batch, {
      createdBy: author.id,
      passwordHash: `password of ${name}`,
      tokenEncrypted: `token of ${name}`,
    })
    const file = await storeFile(blobs, batch, { name: 'Größe 1.png', sourceUserId: author.id })
    await makeResult(file)
    await makeComment(file, { createdBy: author.id, body: `Comment of ${name}` })
    await makeEstimate({ projectId: project.id, createdBy: author.id })
    return { agency, author, project, batch, link, file }
  }
  return { north: await make('North Light', 'NORTH'), south: await make('South Bay', 'SOUTH') }
}

const exported = async (id: string, folder = newFolder()) => {
  const agency = await findAgency(testSql, id)
  return { folder, manifest: await exportAgency({ sql: testSql, blobs, agency, folder, version: '0.0.0-test' }) }
}

const rowsIn = (folder: string, table: string): Record<string, unknown>[] =>
  readFileSync(path.join(folder, 'rows', `${table}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('an export holds everything of one agency, nothing of another, and no secret', async () => {
  const { north, south } = await twoAgencies()
  const agency = await findAgency(testSql, 'north')
  const preview = await previewExport(testSql, agency)
  const { folder, manifest } = await exported('NORTH')
  expect(manifest).toMatchObject({ agency: { code: 'NORTH' }, files: 1, bytes: north.file.size, missing: [] })
  expect(preview).toMatchObject({ files: 1, bytes: north.file.size })
  for (const [table, count] of Object.entries(preview.rows)) expect(manifest.rows[table], table).toBe(count)
  for (const table of [
    'projects',
    'batches',
    'upload_links',
    'files',
    'pre_qc_results',
    'file_comments',
    'cost_estimates',
  ])
    expect(rowsIn(folder, table), table).toHaveLength(1)
  expect(rowsIn(folder, 'file_comments')[0]).toMatchObject({ body: 'Comment of North Light' })
  expect(rowsIn(folder, 'people')).toContainEqual({ id: north.author.id, name: 'Author of North Light' })

  const bytes = readFileSync(path.join(folder, 'files', north.file.id, 'Größe 1.png'))
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(north.file.sha256)
  expect(existsSync(path.join(folder, 'files', south.file.id))).toBe(false)

  const all = Object.keys(manifest.rows)
    .map((table) => readFileSync(path.join(folder, 'rows', `${table}.jsonl`), 'utf8'))
    .join('')
  for (const secret of ['password of', 'token of', 'South', south.project.id, '@north.example', north.link.tokenHash])
    expect(all).not.toContain(secret)
  expect(statSync(path.join(folder, 'manifest.json')).mode & 0o077).toBe(0)
})

test('an agency is named by id, code or name, in any case; another name is refused', async () => {
  const { north } = await twoAgencies()
  for (const wanted of [north.agency.id, 'north', 'NORTH LIGHT'])
    expect((await findAgency(testSql, wanted)).id).toBe(north.agency.id)
  await expect(findAgency(testSql, 'nort%')).rejects.toThrow('“nort%”')
  await makeAgency({ name: 'SOUTH', code: 'OTHER' })
  await expect(findAgency(testSql, 'south')).rejects.toThrow('several agencies')
})

test('a file that the store lost or altered is named, and the rest is exported', async () => {
  const { north } = await twoAgencies()
  const lost = await storeFile(blobs, north.batch, { name: 'lost.png' })
  const altered = await storeFile(blobs, north.batch, { name: 'altered.png' })
  if (isBlobKey(lost.objectKey)) await blobs.delete(lost.objectKey)
  await database()
    .db.update(files)
    .set({ sha256: 'f'.repeat(64) })
    .where(eq(files.id, altered.id))
  const { folder, manifest } = await exported('NORTH')
  expect(manifest.missing).toEqual([
    { id: lost.id, name: 'lost.png', reason: 'is missing' },
    { id: altered.id, name: 'altered.png', reason: 'is damaged' },
  ])
  expect(manifest.files).toBe(1)
  expect(existsSync(path.join(folder, 'files', altered.id))).toBe(false)
})

test('nothing is written over: the folder is empty or not there', async () => {
  await twoAgencies()
  const folder = newFolder()
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'notes.txt'), 'mine')
  await expect(exported('NORTH', folder)).rejects.toThrow(`“${folder}” is not empty`)
  const again = newFolder()
  await exported('NORTH', again)
  await expect(exported('NORTH', again)).rejects.toThrow('is not empty')
})

test('a stored name that leads elsewhere stays in the folder', async () => {
  const { north } = await twoAgencies()
  await database().db.update(files).set({ name: '../../escape.png' }).where(eq(files.id, north.file.id))
  const { folder, manifest } = await exported('NORTH')
  expect(manifest.files).toBe(1)
  expect(existsSync(path.join(folder, 'files', north.file.id, 'file'))).toBe(true)
})

test('every table is either exported, or named with the reason why not', async () => {
  const tables = await testSql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  expect(tables.map(({ name }) => name).sort()).toEqual([...Object.keys(EXPORTED), ...Object.keys(NOT_EXPORTED)].sort())
})

test('files that comments carry are exported beside the files, and named where they are missing', async () => {
  const { north, south } = await twoAgencies()
  const put = async (file: { id: string; batchId: string; projectId: string }, name: string) => {
    const objectId = randomUUID()
    const bytes = Buffer.from(`bytes of ${name}`)
    await storeBytes(blobs, bytes, attachmentKey({ objectId }))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const comment = await makeComment(file)
    return { bytes, row: await makeAttachment(comment, { objectId, name, size: bytes.length, sha256 }) }
  }
  const kept = await put(north.file, 'sketch.png')
  const lost = await put(north.file, 'lost.txt')
  await put(south.file, 'other.txt')
  await blobs.delete(attachmentKey(lost.row))
  const preview = await previewExport(testSql, await findAgency(testSql, 'north'))
  const { folder, manifest } = await exported('NORTH')
  expect(manifest).toMatchObject({ files: 1, attachments: 1, removed: 0, bytes: north.file.size + kept.bytes.length })
  expect(preview.bytes).toBe(north.file.size + kept.bytes.length + lost.bytes.length)
  expect(manifest.missing).toEqual([{ id: lost.row.id, name: 'lost.txt', reason: 'is missing' }])
  expect(readFileSync(path.join(folder, 'attachments', kept.row.id, 'sketch.png')).equals(kept.bytes)).toBe(true)
  expect(rowsIn(folder, 'comment_attachments')).toHaveLength(2)
})
