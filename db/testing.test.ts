import { describe, expect, it } from 'vitest'
import { createTestDatabase, testDatabaseUrl, testSql, withTestDatabase } from './testing'

describe('the database of a test', () => {
  it('is a real PostgreSQL with UTF-8 and an order of its own, whatever LANG says', async () => {
    const [row] = await testSql`
      select current_setting('server_encoding') as encoding, lower('ŽÄ') as lowered,
             current_setting('data_checksums') as checksums, current_setting('server_version_num')::int as version,
             (select datlocprovider::text || ':' || datlocale from pg_database where datname = current_database()) as locale`
    expect(row).toMatchObject({ encoding: 'UTF8', lowered: 'žä', checksums: 'on', locale: 'b:C.UTF-8' })
    expect(row?.version).toBeGreaterThanOrEqual(180000)
  })

  it('is the one the product opens by DATABASE_URL', () => {
    expect(process.env.DATABASE_URL).toBe(testDatabaseUrl)
  })

  it('holds the job queue, so that a command can enqueue', async () => {
    const [row] = await testSql`select to_regprocedure('graphile_worker.add_job(text, json)') is not null or
      exists (select from pg_proc where proname = 'add_job') as there`
    expect(row?.there).toBe(true)
  })

  it('is seen by no other test', async () => {
    await testSql`create table note (text text)`
    await withTestDatabase(async ({ sql }) => {
      const [row] = await sql`select to_regclass('public.note') as found`
      expect(row?.found).toBeNull()
    })
  })

  it('is gone after it was dropped', async () => {
    const { url, drop } = await createTestDatabase()
    await drop()
    const [row] =
      await testSql`select count(*)::int as found from pg_database where datname = ${new URL(url).pathname.slice(1)}`
    expect(row?.found).toBe(0)
  })
})
