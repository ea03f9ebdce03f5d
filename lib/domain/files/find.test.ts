import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { rowsInPlan, testSql } from '@/db/testing'
import { makeBatch, makeFile } from '@/fixtures/factories'
import { ofBatch } from './find'

describe('files of a batch by their ids', () => {
  let batch: Awaited<ReturnType<typeof makeBatch>>
  let ids: string[]
  let elsewhere: string

  /** A batch of 3,000 files among 300 that have one. */
  beforeAll(async () => {
    batch = await makeBatch()
    const { id } = await makeFile(batch)
    const other = await makeBatch()
    elsewhere = (await makeFile(other)).id
    await copy('batches', other.id, 300)
    await copy('files', id, 3_000)
    await testSql`
      update files set batch_id = made.id from (select id, row_number() over (order by id) as n from batches where name like 'copy-%') made,
        (select id, row_number() over (order by id) as n from files where name like 'copy-%') file
      where file.n = made.n and files.id = file.id`
    await testSql`analyze files`
    const rows = await testSql<
      { id: string }[]
    >`select id from files where batch_id = ${batch.id} order by random() limit 20`
    ids = rows.map(({ id }) => id)
  })
  afterAll(() => testSql`deallocate all`)

  async function copy(table: 'batches' | 'files', id: string, count: number) {
    const columns = await testSql<{ name: string; value: string }[]>`
      select quote_ident(column_name) as name, case column_name when 'id' then 'uuidv7()' when 'object_key' then 'object_key || n'
        when 'name' then '''copy-'' || n' when 'name_key' then '''copy-'' || n'
        when 'sha256' then 'encode(sha256(n::text::bytea), ''hex'')' else quote_ident(column_name) end as value
      from information_schema.columns where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER'`
    const list = (of: 'name' | 'value') => columns.map((each) => each[of]).join(', ')
    await testSql.unsafe(
      `insert into ${table} (${list('name')}) select ${list('value')} from ${table}, generate_series(1, ${count}) n where id = '${id}'`,
    )
  }

  it('are those of the batch alone', async () => {
    const found = await database()
      .db.select({ id: files.id })
      .from(files)
      .where(ofBatch(batch.id, [...ids, elsewhere]))
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort())
  })

  it('are read without the others, also by a plan for any batch', async () => {
    const { sql, params } = database().db.select({ id: files.id }).from(files).where(ofBatch(batch.id, ids)).toSQL()
    const connection = await testSql.reserve()
    try {
      await connection`set plan_cache_mode = force_generic_plan`
      await connection.unsafe(`prepare some_files as ${sql}`)
      const given = params.map((each) => `'${each}'`).join(', ')
      const [row] = await connection.unsafe(`explain (analyze, timing off, format json) execute some_files (${given})`)
      expect(rowsInPlan(row?.['QUERY PLAN'][0].Plan, 'files')).toBe(20)
    } finally {
      await connection`reset plan_cache_mode`
      connection.release()
    }
  })
})
