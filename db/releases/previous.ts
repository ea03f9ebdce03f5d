import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type postgres from 'postgres'

/** The statements of the release before, and whether a schema still runs them (decision 0077). */

/** As the driver was given it: `text` with $1, $2 ..., and a value for each. */
export type Statement = { text: string; parameters: unknown[] }
export type Release = { version: string; statements: Statement[] }

const FOLDER = path.resolve('db/releases')
const SUFFIX = '.json.gz'

/** @throws when there is not exactly one record */
export function previousRelease(): Release {
  const [name, ...others] = readdirSync(FOLDER).filter((file) => file.endsWith(SUFFIX))
  if (!name || others.length > 0)
    throw new Error(`Expected one file *${SUFFIX} in ${FOLDER}, that of the release before: npm run release:statements`)
  const lines = gunzipSync(readFileSync(path.join(FOLDER, name))).toString('utf8')
  return { version: name.slice(0, -SUFFIX.length), statements: JSON.parse(lines, reviveBytes) }
}

export const packRelease = ({ version, statements }: Release) => ({
  folder: FOLDER,
  name: `${version}${SUFFIX}`,
  suffix: SUFFIX,
  bytes: gzipSync(JSON.stringify(statements), { level: 9 }),
})

/** Bytes as JSON has them when a Buffer is written. */
export function reviveBytes(_: string, value: unknown) {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data) : value
}

/**
 * Runs each statement with its values and takes it back, foreign keys and triggers aside: the rows it names are not there.
 * @returns those that fail, with the reason
 */
export async function failuresOf(sql: postgres.Sql, statements: readonly Statement[]) {
  const failures: (Statement & { reason: string })[] = []
  const connection = await sql.reserve()
  try {
    for (const statement of statements) {
      await connection`begin`
      await connection`set local session_replication_role = replica`
      const reason = await connection.unsafe(statement.text, statement.parameters as never[], { prepare: true }).then(
        () => null,
        (error: Error) => error.message,
      )
      await connection`rollback`
      if (reason !== null) failures.push({ ...statement, reason })
    }
  } finally {
    connection.release()
  }
  return failures
}
