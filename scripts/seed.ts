// A process of its own: making the demo files loads the media libraries, which need not stay with the supervisor.
import { closeDatabase } from '@/db/client'
import { seedDemo } from '@/fixtures/demo/seed'

try {
  const made = await seedDemo()
  if (process.send) process.send({ made: made !== null })
  else if (made) console.log(`The demo workspace is there. Password: ${made.password}`)
  else console.log('The database is not empty: nothing was changed.')
} catch (error) {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  console.error(`${message}${cause instanceof Error ? ` (${cause.message})` : ''}`)
  process.exitCode = 1
} finally {
  await closeDatabase()
  if (process.connected) process.disconnect()
}
