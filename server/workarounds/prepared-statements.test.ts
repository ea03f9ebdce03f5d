import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDatabaseUrl } from '@/db/testing'
import { withPreparedStatements } from './prepared-statements'

const [text, parameter] = ['select $1::int as one', 1]
const statement = sql`select ${parameter}::int as one`

let client: postgres.Sql
beforeEach(() => {
  client = postgres(testDatabaseUrl, { max: 1 })
})
afterEach(() => client.end())

/** The statements that the only connection keeps by name, without the driver's own. */
const prepared = () => client`select statement from pg_prepared_statements where statement = ${text}`

describe('a statement of drizzle', () => {
  it('is planned once a connection', async () => {
    const db = drizzle({ client: withPreparedStatements(client) })
    expect([...(await db.execute(statement))]).toEqual([{ one: 1 }])
    expect(await prepared()).toHaveLength(1)
  })

  it.each(['commits', 'rolls back'])('is planned once in a transaction that %s', async (end) => {
    const db = drizzle({ client: withPreparedStatements(client) })
    const work = db.transaction(async (tx) => {
      await tx.execute(statement)
      await tx.transaction(async (inner) => void (await inner.execute(sql`select ${parameter}::int as nested`)))
      if (end === 'rolls back') throw new Error('rolled back')
    })
    await (end === 'rolls back' ? expect(work).rejects.toThrow('rolled back') : work)
    expect(await prepared()).toHaveLength(1)
    const nested = await client`select statement from pg_prepared_statements where statement like '%as nested'`
    expect(nested).toHaveLength(1)
  })

  it('would not be without this: once it is, drizzle needs no help', async () => {
    await drizzle({ client }).execute(statement)
    expect(await prepared()).toEqual([])
  })
})
