import { expect, test } from 'vitest'
import { testSql } from '@/db/testing'
import { isRetryable, isUnavailable } from './database-errors'

/** What errors of PostgreSQL mean, from PostgreSQL itself. */

const errorOf = (limit: string, statement: string) =>
  testSql
    .begin(async (sql) => {
      await sql.unsafe(limit)
      await sql.unsafe(statement)
    })
    .then(
      () => null,
      (error: unknown) => error,
    )

test('a statement that takes too long, and a lock that does not come, may be tried again later', async () => {
  const slow = await errorOf(`set local statement_timeout = '10ms'`, 'select pg_sleep(60)')
  expect(slow).toMatchObject({ code: '57014' })
  expect(isUnavailable(slow)).toBe(true)
  await testSql`create table held (id int)`
  await testSql.begin(async (sql) => {
    await sql`lock table held in access exclusive mode`
    const locked = await errorOf(`set local lock_timeout = '10ms'`, 'select from held')
    expect(locked).toMatchObject({ code: '55P03' })
    expect(isUnavailable(locked)).toBe(true)
    expect(isRetryable(locked)).toBe(false)
  })
})

test('what is wrong with a statement is no outage', async () => {
  const wrong = await errorOf('select 1', 'select from what_is_not_there')
  expect(wrong).toMatchObject({ code: '42P01' })
  expect(isUnavailable(wrong)).toBe(false)
})
