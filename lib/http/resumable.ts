import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BatchInProject } from '@/lib/domain/batches/find'
import { noteRejection, rejected } from '@/lib/domain/files/intake'
import { type Expectations, judgeBeforeBytes } from '@/lib/domain/files/rules'
import { notFound } from '@/lib/domain/kernel/errors'
import type { AnyOperation, Context } from '@/lib/domain/kernel/operation'
import { assertMayWrite } from '@/lib/domain/kernel/permissions'
import { env } from '@/lib/env'
import { service } from '@/lib/service'
import { acting, type Exchange, type Handler, handle } from './endpoint'
import { createTusEndpoint } from './tus'
import { uploadLocks } from './tus-locks'
import { UploadRecords } from './tus-uploads'

type Expected = { where: BatchInProject; expectations: Expectations }
type Scope = { ctx: Context; params: never; expect: () => Promise<Expected> }

/** What resumable uploads keep between requests, and how processes of one machine share it. */
export const resumableUploads = () => ({
  store: service().outside.blobs,
  records: new UploadRecords(path.join(env.DATA_DIR, 'uploads')),
  locks: uploadLocks(env.DATA_DIR),
})

/**
 * The same door as `upload`, for files that come in pieces (tus 1.0): `expect` decides at creation whether anything may
 * come and judges name and size, `receive` judges and stores the whole.
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
      ...resumableUploads(),
      maxBytes: service().outside.maxFileSize,
      async authorise(call, purpose) {
        const ctx = await acting(expect, call)
        if (purpose !== 'read') assertMayWrite(ctx.actor)
        const params = call.params as never
        const ask = () => expect.execute(ctx, params) as Promise<Expected>
        // Whoever may no longer upload may still read the verdict on what was sent, and take back what was begun.
        if (purpose === 'create' || purpose === 'append') await ask()
        else await read?.execute(ctx, params)
        const { actor } = ctx
        const owner = actor.type === 'user' || actor.type === 'upload_link' ? `${actor.type}:${actor.id}` : actor.type
        return {
          owner: `${owner} ${JSON.stringify(call.params)}`.replace(/,?"tus":"[^"]*"/, ''),
          scope: { ctx, params, expect: ask },
        }
      },
      async onCreate({ ctx, expect: ask }, { name, size }) {
        const { where, expectations } = await ask()
        const violations = judgeBeforeBytes(expectations, { name, size })
        if (violations.length === 0) return
        await noteRejection(ctx, where, { name, size }, violations)
        throw rejected(name, violations)
      },
      async onFinish({ ctx, params }, { name, size, sha256, staged }) {
        if (!staged) throw notFound('upload')
        const upload = { name, size, sha256: sha256 ?? (await hashOf(staged.path)), staged }
        return { status: 201, body: await receive.execute({ ...ctx, now: new Date() }, params, upload) }
      },
    })
    return serve(exchange.request, exchange)
  })
  return { GET: answer, HEAD: answer, POST: answer, PATCH: answer, DELETE: answer, OPTIONS: answer }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
