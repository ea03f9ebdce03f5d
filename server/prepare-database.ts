import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createDatabase } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { secretsUnder } from '@/lib/adapters/secrets'
import { prepareSigningKeys } from '@/lib/domain/certificates/signing-keys'
import type { Environment } from '@/lib/env'

/** Where versions up to 0.1 had the key that signs certificates; it is taken over and not used any more. */
const FORMER_KEY = 'certificate-key.pem'

/**
 * Brings the database at `url` up to this version, with the keys that it needs. Several processes may do it at once, and
 * after being killed it may be done again.
 * @throws WrongSecret when AUTH_SECRET is not the one that the database was used with
 */
export async function prepareDatabase(
  { DATA_DIR, AUTH_SECRET }: Pick<Environment, 'DATA_DIR' | 'AUTH_SECRET'>,
  url: string,
  { newSecret = false }: { newSecret?: boolean } = {},
): Promise<void> {
  await migrateDatabase(url)
  const { db, sql } = createDatabase(url, { max: 1 })
  try {
    const file = path.join(/*turbopackIgnore: true*/ DATA_DIR, FORMER_KEY)
    const former = existsSync(file) ? readFileSync(file, 'utf8') : null
    await prepareSigningKeys(db, secretsUnder(AUTH_SECRET), { former, newSecret })
  } finally {
    await sql.end({ timeout: 5 })
  }
}
