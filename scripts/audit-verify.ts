// `npm run audit:verify [-- --head POSITION:HASH] [--from POSITION:HASH]`: recomputes the chain over the audit trail and names
// the first row that was altered. `--head`: the end of the chain as it was known elsewhere. `--from`: how far it was
// verified before; only what came after is recomputed. Ends with 1 when something is wrong.
import { parseArgs } from 'node:util'
import { closeDatabase, database } from '@/db/client'
import { type Head, verifyChain } from '@/lib/domain/audit/chain'
import { storedHead } from '@/lib/jobs/seal-audit'
import { service } from '@/lib/service'

const written = ({ position, hash }: Head) => `${position}:${hash}`

/** @throws when it is not what this command prints */
function headIn(option: string, given: string | undefined): Head | null {
  if (given === undefined) return null
  const match = /^(\d+):([0-9a-f]{64})$/.exec(given)
  if (!match) throw new Error(`--${option} is "${given}": expected POSITION:HASH, as this command prints it.`)
  return { position: Number(match[1]), hash: match[2] ?? '' }
}

let reached: Head | null = null
const sayReached = () => {
  if (reached) console.error(`Everything before is whole. Go on there with --from ${written(reached)}`)
}
process.once('SIGINT', () => {
  sayReached()
  process.exit(130)
})

try {
  const { values } = parseArgs({ options: { head: { type: 'string' }, from: { type: 'string' } } })
  const from = headIn('from', values.from)
  const known = headIn('head', values.head) ?? (await storedHead(service().ports.blobs))
  const { sealed, unsealed, head, fault } = await verifyChain(database().db, new Date(), {
    known,
    from,
    onPart: (at) => {
      reached = at
      if (process.stderr.isTTY) process.stderr.write(`${at.position} events verified ...\r`)
    },
  })
  if (fault) {
    const where = [fault.position && `seal ${fault.position}`, fault.event_id && `event ${fault.event_id}`]
    console.error(`The audit trail was altered: ${where.filter(Boolean).join(', ') || 'the chain'}. ${fault.reason}`)
    process.exitCode = 1
  } else {
    const since = from ? `, of which those after ${from.position} were recomputed` : ''
    console.log(`The audit trail is whole: ${sealed} events sealed${since}, ${unsealed} too new to be.`)
    if (head)
      console.log(
        `Keep this elsewhere, and give it with --head, or with --from to verify only what is new: ${written(head)}`,
      )
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
  sayReached()
  process.exitCode = 1
}
await closeDatabase()
