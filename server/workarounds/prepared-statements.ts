import type postgres from 'postgres'

/** What drizzle uses of a client. */
type Client = Pick<postgres.Sql, 'options' | 'unsafe' | 'begin'>

/**
 * The client for drizzle, with named statements. Drizzle names a statement only where a query is given a name by hand
 * (`.prepare(name)`); every other one is planned by PostgreSQL anew, and the driver asks for its parameter types first, a
 * second trip. Named ones are planned once a connection. Statements without parameters stay simple queries.
 */
export function withPreparedStatements(sql: postgres.Sql): postgres.Sql {
  const client: Client = {
    options: sql.options,
    unsafe: named(sql),
    begin: ((work: (tx: postgres.TransactionSql) => unknown) =>
      sql.begin((tx) => work(inTransaction(tx)))) as typeof sql.begin,
  }
  return client as postgres.Sql
}

function inTransaction(tx: postgres.TransactionSql): postgres.TransactionSql {
  const client: Pick<postgres.TransactionSql, 'unsafe' | 'savepoint'> = {
    unsafe: named(tx),
    savepoint: ((work: (inner: postgres.TransactionSql) => unknown) =>
      tx.savepoint((inner) => work(inTransaction(inner)))) as typeof tx.savepoint,
  }
  return client as unknown as postgres.TransactionSql
}

const named = (sql: postgres.Sql | postgres.TransactionSql): typeof sql.unsafe =>
  ((text, parameters, options) => sql.unsafe(text, parameters, { ...options, prepare: true })) as typeof sql.unsafe
