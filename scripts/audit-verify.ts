// `npm run audit:verify [-- --head POSITION:HASH] [--from POSITION:HASH | --resume]`: recomputes the chain over the audit trail
// and names the first row that was altered. `--head`: the end of the chain as it was known elsewhere. `--from`: how far it was
// verified before; only what came after is recomputed. `--resume`: from where the last run ended or was stopped, as it is
// stored with the files. Ends with 1 when something is wrong.
import { parseArgs } from 'node:util'
import { closeDatabase, database } from '@/db/client'
import { type Head, verifyChain } from '@/lib/domain/audit/chain'
import { storedHead, storeHead } from '@/lib/jobs/seal-audit'
import { service } from '@/lib/service'

const written = ({ position, hash }: Head) => `${position}:${hash}`

/** @throws when it is not what this command prints */
function headIn(option: string, given: string | undefined): Head | null {
  if (given === undefined) return null
  const match = /^(\d+):([0-9a-f]{64})$/.exec(given)
  if (!match) throw new Error(`--${option} is "${given}": expected POSITION:HASH, as this command prints it.`)
  return { position: Number(match[1]), hash: match[2] ?? '' }
}

/** Events between two places that are stored. */
const STORED_EVERY = 100_000
let reached: Head | null = null
const sayReached = () => {
  if (reached) console.error(`Everything before is whole. Go on there with --resume, or --from ${written(reached)}`)
}
const blobs = () => service().ports.blobs
const storeReached = () => (reached ? storeHead(blobs(), reached, 'verified') : undefined)
process.once('SIGINT', async () => {
  await storeReached()
  sayReached()
  process.exit(130)
})

try {
  const { values } = parseArgs({
    options: { head: { type: 'string' }, from: { type: 'string' }, resume: { type: 'boolean', default: false } },
  })
  const from = headIn('from', values.from) ?? (values.resume ? await storedHead(blobs(), 'verified') : null)
  const known = headIn('head', values.head) ?? (await storedHead(blobs()))
  const began = performance.now()
  let stored = from?.position ?? 0
  const { sealed, unsealed, head, fault } = await verifyChain(database().db, new Date(), {
    known,
    from,
    async onPart(at) {
      reached = at
      if (process.stderr.isTTY) process.stderr.write(`${at.position} events verified ...\r`)
      if (at.position - stored < STORED_EVERY) return
      await storeReached()
      stored = at.position
    },
  })
  const seconds = (performance.now() - began) / 1000
  const rate = Math.round((sealed - (from?.position ?? 0)) / Math.max(seconds, 0.001))
  if (fault) {
    const where = [fault.position && `seal ${fault.position}`, fault.event_id && `event ${fault.event_id}`]
    console.error(`The audit trail was altered: ${where.filter(Boolean).join(', ') || 'the chain'}. ${fault.reason}`)
    process.exitCode = 1
  } else {
    const since = from ? `, of which those after ${from.position} were recomputed` : ''
    console.log(`The audit trail is whole: ${sealed} events sealed${since}, ${unsealed} too new to be.`)
    console.log(`${seconds.toFixed(1)} s, ${rate} events a second.`)
    reached = head
    await storeReached()
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
