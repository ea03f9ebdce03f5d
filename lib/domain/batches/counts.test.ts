import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { batchCounts } from '@/db/schema/projects'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { browseFiles } from '../pre-qc/file-summaries'
import { as } from '../testing'
import { COUNTED } from './counts'
import { getBatch } from './queries'

const db = () => database().db

/** What is stored, and what the rows say; a batch without files has either nothing or zeros. */
async function compare(batchId: string) {
  const stored = await db().execute(
    sql`select * from batch_counts where batch_id = ${batchId} and stored_by_users + stored_by_links > 0
      and project_id = (select project_id from batches where id = ${batchId})`,
  )
  const rows = await db().execute(sql`select * from (${COUNTED}) counted where batch_id = ${batchId}`)
  expect(stored.map(({ project_id: _, ...counts }) => counts)).toEqual([...rows])
  return rows[0] ?? null
}

describe('the counts of a batch', () => {
  test('are those of its rows after every kind of change', async () => {
    const batch = await makeBatch()
    const [a, b, c] = [await makeFile(batch), await makeFile(batch), await makeFile(batch)]
    expect(await compare(batch.id)).toMatchObject({ files: 3, pending: 3, completed: 0 })
    const result = await makeResult(a, { summary: 'warning' })
    await makeResult(b, { status: 'running', summary: null, completedAt: null })
    await makeResult(c, { status: 'failed', summary: null, couldNotRun: true })
    expect(await compare(batch.id)).toMatchObject({ completed: 1, warning: 1, running: 1, failed: 1, could_not_run: 1 })
    await db().update(files).set({ decision: 'approved' }).where(eq(files.batchId, batch.id))
    expect(await compare(batch.id)).toMatchObject({ approved: 3, pending: 0 })
    await db().update(preQcResults).set({ summary: 'pass' }).where(eq(preQcResults.id, result.id))
    expect(await compare(batch.id)).toMatchObject({ pass: 1, warning: 0 })
    await db().update(preQcResults).set({ isCurrent: false }).where(eq(preQcResults.id, result.id))
    expect(await compare(batch.id)).toMatchObject({ completed: 0 })
    await makeResult(a, { summary: 'fail', attempt: 2 })
    expect(await compare(batch.id)).toMatchObject({ fail: 1, completed: 1 })
    // A new version takes the place of a file, and the results of that with it.
    await db().update(files).set({ isCurrent: false }).where(eq(files.id, a.id))
    expect(await compare(batch.id)).toMatchObject({ files: 2, fail: 0, completed: 0, stored_by_users: 3 })
    await db().update(files).set({ isCurrent: true, size: 5 }).where(eq(files.id, a.id))
    expect(await compare(batch.id)).toMatchObject({ files: 3, fail: 1 })
    // Its results go with a file.
    await db().delete(files).where(eq(files.id, c.id))
    expect(await compare(batch.id)).toMatchObject({ files: 2, failed: 0, could_not_run: 0 })
    expect(await db().select().from(preQcResults).where(eq(preQcResults.fileId, c.id))).toEqual([])
    await db().delete(files).where(eq(files.batchId, batch.id))
    expect(await compare(batch.id)).toBeNull()
  })

  test('hold when a file is replaced while its check ends, in either order of commits', async () => {
    for (const first of ['file', 'result'] as const) {
      const batch = await makeBatch()
      const file = await makeFile(batch)
      const { id } = await makeResult(file, { status: 'running', summary: null, completedAt: null })
      const replace = `update files set is_current = false where id = '${file.id}'`
      const finish = `update pre_qc_results set status = 'completed', summary = 'pass' where id = '${id}'`
      const [one, other] = first === 'file' ? [replace, finish] : [finish, replace]
      let second: Promise<unknown> = Promise.resolve()
      await testSql.begin(async (tx) => {
        await tx.unsafe(one)
        second = testSql.unsafe(other).execute()
        // It waits for this transaction, and has read nothing it counts by.
        for (;;) {
          const [waiting] = await tx.unsafe(`select 1 from pg_locks where not granted`)
          if (waiting) break
        }
      })
      await second
      expect(await compare(batch.id)).toMatchObject({ files: 0, stored_by_users: 1 })
      const [stored] = await db().select().from(batchCounts).where(eq(batchCounts.batchId, batch.id))
      expect(stored).toMatchObject({ files: 0, running: 0, completed: 0, pass: 0 })
    }
  })

  test('are what a batch and its list say, without reading its files', async () => {
    const viewer = await makeUser({ role: 'viewer' })
    const project = await makeProject({ members: [viewer] })
    const batch = await makeBatch({ projectId: project.id })
    const path = { project_id: project.id, batch_id: batch.id }
    for (const summary of ['pass', 'pass', 'fail'] as const) await makeResult(await makeFile(batch), { summary })
    // Counts that no row explains: where they show, no rows were counted.
    await db().update(batchCounts).set({ files: 7000, pending: 6000, pass: 5000, couldNotRun: 40 })
    const shown = await getBatch.execute(as(viewer), path)
    expect(shown.counts).toMatchObject({ files: 7000, pending: 6000 })
    expect(shown.pre_qc).toMatchObject({ status: 'completed', pass: 5000, fail: 1 })
    const total = async (input: object) => (await browseFiles.execute(as(viewer), path, input)).total
    expect(await browseFiles.execute(as(viewer), path, {})).toMatchObject({ total: 7000, could_not_run: 40 })
    expect(await total({ decision: 'pending' })).toBe(6000)
    expect(await total({ verdict: 'pass' })).toBe(5000)
    expect(await total({ verdict: 'pass', decision: 'pending' })).toBe(2)
  })
})
