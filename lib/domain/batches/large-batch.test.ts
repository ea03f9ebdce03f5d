import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeUser } from '@/fixtures/factories'
import { as } from '../testing'
import { submitBatch } from './commands'

const FILES = 10_000
const AT_ONCE = 2_000

it('a batch of 10,000 files is submitted, with a job for each and one for each 50', async () => {
  const [administrator, operator] = [await makeUser({ role: 'administrator' }), await makeUser({ role: 'operator' })]
  const batch = await makeBatch({ operatorId: operator.id, coordinatorId: administrator.id, status: 'open' })
  const { id } = await makeFile(batch, { name: 'file-0.png' })
  for (let from = 1; from < FILES; from += AT_ONCE)
    await database().db.execute(sql`
      insert into files select copy.* from ${files} f, generate_series(${from}::int, ${Math.min(FILES, from + AT_ONCE) - 1}::int) n,
        lateral jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid(), 'name', 'file-' || n || '.png',
          'name_key', 'file-' || n || '.png', 'object_key', 'files/' || gen_random_uuid(), 'sha256', encode(sha256(n::text::bytea), 'hex'))) copy
      where f.id = ${id}`)
  const submitted = await submitBatch.execute(as(administrator), { project_id: batch.projectId, batch_id: batch.id })
  expect(submitted).toMatchObject({ status: 'in_review', pre_qc: { status: 'queued' } })
  const results = await database().db.$count(preQcResults, eq(preQcResults.batchId, batch.id))
  expect(results).toBe(FILES)
  const jobs = await testSql`
    select j.task_identifier as task, count(*)::int from graphile_worker.jobs j
    where exists (select from pre_qc_results r where r.batch_id = ${batch.id} and j.key in ('check_file:' || r.id, 'check_known:' || r.id)) group by 1 order by 1`
  expect([...jobs]).toEqual([
    { task: 'check_file', count: FILES },
    { task: 'check_known', count: FILES / 50 },
  ])
})
