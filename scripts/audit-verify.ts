// `npm run audit:verify [-- --head POSITION:HASH]`: recomputes the chain over the audit trail and names the first row
// that was altered. Ends with 1 when something is wrong.
import { parseArgs } from 'node:util'
import { closeDatabase, database } from '@/db/client'
import { type Head, verifyChain } from '@/lib/domain/audit/chain'
import { storedHead } from '@/lib/jobs/seal-audit'
import { service } from '@/lib/service'

/** The end of the chain as it was known elsewhere: given, or stored with the files. */
async function knownHead(given: string | undefined): Promise<Head | null> {
  const match = /^(\d+):([0-9a-f]{64})$/.exec(given ?? '')
  if (given && !match) throw new Error(`--head is "${given}": expected POSITION:HASH, as this command prints it.`)
  if (match) return { position: Number(match[1]), hash: match[2] ?? '' }
  return storedHead(service().ports.blobs)
}

try {
  const { values } = parseArgs({ options: { head: { type: 'string' } } })
  const { sealed, unsealed, head, fault } = await verifyChain(database().db, new Date(), await knownHead(values.head))
  if (fault) {
    const where = [fault.position && `seal ${fault.position}`, fault.event_id && `event ${fault.event_id}`]
    console.error(`The audit trail was altered: ${where.filter(Boolean).join(', ') || 'the chain'}. ${fault.reason}`)
    process.exitCode = 1
  } else {
    console.log(`The audit trail is whole: ${sealed} events sealed, ${unsealed} too new to be.`)
    if (head) console.log(`Keep this elsewhere, and give it with --head next time: ${head.position}:${head.hash}`)
  }
} catch (error) {
  const { code } = ((error as Error).cause ?? error) as { code?: string }
  console.error(
    code === 'ECONNREFUSED'
      ? 'The database does not respond. Start Greenroom first (npm start), or set DATABASE_URL.'
      : error instanceof Error
        ? error.message
        : error,
  )
  process.exitCode = 1
}
await closeDatabase()
