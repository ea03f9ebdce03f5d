import { LINK_OWNER } from '@/db/schema/operations'
import { DomainError, type ErrorCode } from '@/lib/domain/kernel/errors'
import type { AnyIntake, Arrival } from '@/lib/domain/kernel/intake'
import type { Context } from '@/lib/domain/kernel/operation'
import { assertMayWrite } from '@/lib/domain/kernel/permissions'
import { type Exchange, type Handler, handle } from '@/lib/http/endpoint'
import { service } from '@/lib/service'
import { createTusEndpoint } from './tus'
import { UploadRecords } from './upload-records'

/** Why nothing more may be sent, while a client that sent something may still ask what became of it, or take it back. */
const CLOSED_FOR_NEW: readonly ErrorCode[] = ['link_used_up', 'invalid_state', 'project_closed', 'project_on_hold']

/** Takes files that come piece by piece (tus 1.0): validated by name and size at their creation, stored when they are whole. */
export function resumable(
  intake: AnyIntake,
): Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler> {
  let serve: ((request: Request, exchange: Exchange) => Promise<Response>) | undefined
  const respondTo = handle((exchange) => {
    // Made at the first request: the settings are those of the running service, not of the build.
    serve ??= endpointOf(intake, exchange.ctx)
    return serve(exchange.request, exchange)
  })
  const handler = Object.assign(respondTo, { serves: intake })
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler }
}

function endpointOf(intake: AnyIntake, { db }: Context) {
  return createTusEndpoint<Exchange, Arrival<unknown, unknown>>({
    store: service().ports.blobs,
    records: new UploadRecords(db),
    maxBytes: service().ports.files.maxFileSize,
    async authorise({ ctx, params }, purpose) {
      const arrival = await intake.open(ctx, params)
      if (purpose !== 'read') assertMayWrite(arrival.ctx.actor)
      if (purpose !== 'create') await arrival.assertReadable()
      const sends = purpose === 'create' || purpose === 'append'
      const closed = sends ? await arrival.expect().then(() => null, closedForNew) : null
      return { owner: ownerOf(arrival.ctx, params), scope: arrival, closed }
    },
    onCreate: (arrival, { name, size }) => arrival.validateName({ name, size }),
    // A chunk that was not acknowledged is sent again, and by another request.
    onWritten: (arrival, file) => arrival.arriving({ ...file, mayChange: true }),
    async onFinish(arrival, { name, size, sha256, staged }, note) {
      await arrival.receive(
        { name, size, sha256, staged },
        { now: new Date(), beforeCommit: (tx, body) => note(tx.db, { status: 201, body }) },
      )
    },
  })
}

function closedForNew(error: unknown): DomainError {
  if (error instanceof DomainError && CLOSED_FOR_NEW.includes(error.code)) return error
  throw error
}

/** Who sends, and where to. A link says both by its id; its token, which is in the path, is stored nowhere. */
function ownerOf({ actor }: Context, { tus: _, ...place }: Record<string, string>): string {
  if (actor.type === 'upload_link') return `${LINK_OWNER}${actor.id}`
  return `${actor.type}:${'id' in actor ? actor.id : ''} ${JSON.stringify(place)}`
}
