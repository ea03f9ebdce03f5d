// `npm run migrate [-- --new-secret]`: brings the database up to this version, and makes the key that signs certificates.
// --new-secret: AUTH_SECRET was replaced on purpose; go on with the one that is set now.
import { parseArgs } from 'node:util'
import { env, requireSharedSecret } from '@/lib/env'
import { prepareDatabase } from '@/server/prepare-database'

try {
  const { values } = parseArgs({ options: { 'new-secret': { type: 'boolean', default: false } } })
  requireSharedSecret(process.env)
  await prepareDatabase(env, env.DATABASE_DIRECT_URL, { newSecret: values['new-secret'] })
  console.log('The database is up to date.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
