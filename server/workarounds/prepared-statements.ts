import type postgres from 'postgres'

type Wait = () => () => void

/** What drizzle uses of a client. */
type Client = Pick<postgres.Sql, 'options' | 'unsafe' | 'begin'>

/**
 * The client for drizzle, with named statements. Drizzle names a statement only where a query is given a name by hand
 * (`.prepare(name)`); every other one is planned by PostgreSQL anew, and the driver asks for its parameter types first, a
 * second trip. Named ones are planned once a connection. Statements without parameters stay simple queries.
 * `wait` is called when a statement is sent, and what it returns when that was answered.
 */
export function withPreparedStatements(sql: postgres.Sql, wait: Wait = () => () => {}): postgres.Sql {
  const client: Client = {
    options: sql.options,
    unsafe: named(sql, wait),
    begin: (async (work: (tx: postgres.TransactionSql) => unknown) => {
      let answered = wait()
      try {
        return await sql.begin(async (tx) => {
          answered()
          try {
            return await work(inTransaction(tx, wait))
          } finally {
            answered = wait()
          }
        })
      } finally {
        answered()
      }
    }) as typeof sql.begin,
  }
  return client as postgres.Sql
}

function inTransaction(tx: postgres.TransactionSql, wait: Wait): postgres.TransactionSql {
  const client: Pick<postgres.TransactionSql, 'unsafe' | 'savepoint'> = {
    unsafe: named(tx, wait),
    savepoint: ((work: (inner: postgres.TransactionSql) => unknown) =>
      tx.savepoint((inner) => work(inTransaction(inner, wait)))) as typeof tx.savepoint,
  }
  return client as unknown as postgres.TransactionSql
}

const named = (sql: postgres.Sql | postgres.TransactionSql, wait: Wait): typeof sql.unsafe =>
  ((text, parameters, options) => {
    const answered = wait()
    const query = sql.unsafe(text, parameters, { ...options, prepare: true })
    query.then(answered, answered)
    return query
  }) as typeof sql.unsafe
