import type { BatchInProject } from '@/lib/domain/batches/find'
import { noteRejection, rejected } from '@/lib/domain/files/intake'
import { type Expectations, judgeBeforeBytes } from '@/lib/domain/files/rules'
import { DomainError, type ErrorCode } from '@/lib/domain/kernel/errors'
import type { AnyOperation, Context } from '@/lib/domain/kernel/operation'
import { assertMayWrite } from '@/lib/domain/kernel/permissions'
import { service } from '@/lib/service'
import { acting, type Exchange, type Handler, handle } from './endpoint'
import { createTusEndpoint } from './tus'
import { UploadRecords } from './tus-uploads'

type Expected = { where: BatchInProject; expectations: Expectations }
type Scope = { ctx: Context; params: never; expect: () => Promise<Expected> }

/** Why nothing more may be sent, while whoever sent something may still ask what became of it, or take it back. */
const CLOSED_FOR_NEW: readonly ErrorCode[] = ['link_used_up', 'invalid_state', 'project_closed', 'project_on_hold']

/**
 * The same entry point as `upload`, for files that come in pieces (tus 1.0): `expect` decides at creation whether anything
 * may come and validates name and size, `receive` validates and stores the whole.
 */
export function resumable(
  expect: AnyOperation,
  receive: AnyOperation,
  /** Refuses to answer even for what was begun already, when the way in is closed for good. */
  read?: AnyOperation,
): Record<'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler> {
  let serve: ((request: Request, exchange: Exchange) => Promise<Response>) | undefined
  const answer = handle((exchange) => {
    // Made at the first request: the settings are those of the running service, not of the build.
    serve ??= createTusEndpoint<Exchange, Scope>({
      store: service().outside.blobs,
      records: new UploadRecords(exchange.ctx.db),
      maxBytes: service().outside.maxFileSize,
      async authorise(call, purpose) {
        const ctx = await acting(expect, call)
        if (purpose !== 'read') assertMayWrite(ctx.actor)
        const params = call.params as never
        const ask = () => expect.execute(ctx, params) as Promise<Expected>
        if (purpose !== 'create') await read?.execute(ctx, params)
        const sends = purpose === 'create' || purpose === 'append'
        const closed = sends ? await ask().then(() => null, closedForNew) : null
        return { owner: ownerOf(ctx, call.params), scope: { ctx, params, expect: ask }, closed }
      },
      async onCreate({ ctx, expect: ask }, { name, size }) {
        const { where, expectations } = await ask()
        const violations = judgeBeforeBytes(expectations, { name, size })
        if (violations.length === 0) return
        await noteRejection(ctx, where, { name, size }, violations)
        throw rejected(name, violations)
      },
      async onFinish({ ctx, params }, { name, size, sha256, staged }, note) {
        const upload = { name, size, sha256, staged }
        await receive.execute({ ...ctx, now: new Date() }, params, upload, {
          beforeCommit: (tx, body) => note(tx.db, { status: 201, body }),
        })
      },
    })
    return serve(exchange.request, exchange)
  })
  return { GET: answer, HEAD: answer, POST: answer, PATCH: answer, DELETE: answer, OPTIONS: answer }
}

function closedForNew(error: unknown): DomainError {
  if (error instanceof DomainError && CLOSED_FOR_NEW.includes(error.code)) return error
  throw error
}

/** Who sends, and where to. A link says both by its id; its token, which is in the path, is kept nowhere. */
function ownerOf({ actor }: Context, { tus: _, ...place }: Record<string, string>): string {
  if (actor.type === 'upload_link') return `upload_link:${actor.id}`
  return `${actor.type}:${'id' in actor ? actor.id : ''} ${JSON.stringify(place)}`
}
