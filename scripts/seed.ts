// A process of its own: making the demo files loads the media libraries, which need not stay with the supervisor.
import { closeDatabase } from '@/db/client'
import { seedDemo } from '@/db/seed'

const made = await seedDemo()
await closeDatabase()
if (process.send) process.send({ password: made?.password ?? null }, () => process.disconnect())
else
  console.log(
    made
      ? `The demo workspace is there. Password: ${made.password}`
      : 'The database is not empty: nothing was changed.',
  )
