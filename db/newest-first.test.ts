import { expect, test } from 'vitest'
import { testSql } from './testing'

/** Lists go by `where COLUMN = … order by id desc`: their indexes have to give that order, or every row is read and sorted. */
test('an index of what is newest gives the order its list asks for', async () => {
  const indexes = await testSql<{ name: string; table: string; column: string; type: string }[]>`
    select i.relname as name, t.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
    where i.relname like '%\_newest\_index'`
  expect(indexes.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'batches_project_id_newest_index',
      'events_actor_id_newest_index',
      'events_subject_id_newest_index',
      'files_batch_id_newest_index',
    ]),
  )
  for (const { name, table, column, type } of indexes) {
    const value = type === 'uuid' ? `'00000000-0000-7000-8000-000000000000'` : `'x'`
    const plan = await testSql.begin(async (tx) => {
      // Of an empty table anything is as cheap; asked whether it can.
      await tx.unsafe('set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off')
      const lines = await tx.unsafe(
        `explain select * from "${table}" where "${column}" = ${value} order by id desc limit 51`,
      )
      return lines.map((line) => line['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain(`Index Scan Backward using ${name}`)
    expect(plan).not.toContain('Sort')
  }
})
