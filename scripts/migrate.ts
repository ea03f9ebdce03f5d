import { migrateDatabase } from '@/db/migrate'
import { env } from '@/lib/env'

try {
  await migrateDatabase(env.DATABASE_URL)
  console.log('The database is up to date.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
