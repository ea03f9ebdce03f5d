import type { AnyIntake, Arrival } from '@/lib/domain/kernel/intake'
import { assertMayWrite } from '@/lib/domain/kernel/permissions'
import { type Exchange, once, respond } from '@/lib/http/endpoint'
import { fingerprintOf, idempotencyKeyOf, routeOf } from '@/lib/http/idempotency'
import type { TextResponse } from '@/lib/http/response'
import { receivePart } from './receive-part'

/** Up to here the bytes are read although the name is wrong already, so that the response holds everything there is to fix. */
const READ_ON_BYTES = 64 * 1024 * 1024

/** Takes one file, sent as a multipart part named `file`. */
export const multipart = (intake: AnyIntake) =>
  Object.assign(
    async (exchange: Exchange) => {
      const { request, params } = exchange
      const arrival = await intake.open(exchange.ctx, params)
      const { ctx } = arrival
      // Said before the bytes come, of which there may be gigabytes.
      assertMayWrite(ctx.actor)
      const respondWith = (stored: unknown) => respond(201, stored, { Location: intake.created(stored, params) })

      const key = idempotencyKeyOf(request)
      if (key === null) return respondWith(await store(arrival, await receive(request, arrival)))

      // What is refused before anything of the file is known is not stored; what is refused by its name is compared by that.
      let print = ''
      return once(
        ctx,
        routeOf(intake.name, params),
        key,
        () => print,
        async (keep) => {
          const part = await receive(request, arrival, (name) => {
            print = printOfName(name)
          })
          print = printOf(part)
          let response: TextResponse | undefined
          await store(arrival, part, (tx, stored) => {
            response = respondWith(stored)
            return keep.beside(tx.db, response)
          })
          if (!response) throw new Error('An upload ended without a response.')
          return response
        },
        (response) => printOfRepetition(request, arrival, response),
      )
    },
    { serves: intake },
  )

type Arriving = Arrival<unknown, unknown>
type Part = Awaited<ReturnType<typeof receivePart>>

/** Receives the file, if one may come. `onName`: hears its name before its bytes. */
async function receive(request: Request, arrival: Arriving, onName: (name: string) => void = () => {}): Promise<Part> {
  await arrival.expect()
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  return receivePart(request, {
    ...limitsOf(arrival),
    onWritten: ({ path }, name, upTo) => arrival.arriving({ name, path, upTo }),
    async onName(name) {
      onName(name)
      if (length > READ_ON_BYTES) await arrival.validateName({ name })
    },
  })
}

async function store(
  arrival: Arriving,
  part: Part,
  beside?: NonNullable<Parameters<Arriving['receive']>[1]>['beside'],
) {
  try {
    return await arrival.receive(part, { now: new Date(), beside })
  } finally {
    await part.staged.discard()
  }
}

const printOfName = (name: string) => fingerprintOf(`name ${name}`)
const printOf = ({ name, sha256 }: Part) => fingerprintOf(`${sha256} ${name}`)

/** What a repeated request is compared by: its name, when the first was refused by it, else name and content. */
async function printOfRepetition(request: Request, arrival: Arriving, response: string): Promise<string> {
  const sameName = new Error('The file has the name that was refused.')
  const part = await receivePart(request, {
    ...limitsOf(arrival),
    onName(name) {
      if (printOfName(name) === response) throw sameName
    },
  }).catch((error: unknown) => {
    if (error === sameName) return null
    throw error
  })
  await part?.staged.discard()
  return part ? printOf(part) : response
}

const limitsOf = ({ ctx: { ports }, maxBytes }: Arriving) => ({
  stage: () => ports.blobs.stage(),
  maxBytes: Math.min(ports.files.maxFileSize, maxBytes),
})
