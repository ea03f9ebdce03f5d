import { randomUUID } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createRouteHandler, createUploadthing, UploadThingError, UTFiles } from 'uploadthing/server'
import { z } from 'zod'
import { FileHash } from '@/lib/adapters/blob-store/file-hash'
import {
  INCOMING,
  openAtUploadThing,
  removeFromUploadThing,
  uploadThingOptions,
} from '@/lib/adapters/blob-store/uploadthing-files'
import { notFound } from '@/lib/domain/kernel/errors'
import type { Context } from '@/lib/domain/kernel/operation'
import { receiveFileByLink } from '@/lib/domain/upload-links/public'
import { env } from '@/lib/env'
import type { Exchange } from '@/lib/http/endpoint'
import { isRefusal } from '@/lib/http/http-error'

/**
 * Uploads that a browser sends directly to UploadThing, by the holder of an upload link. UploadThing reports each by a
 * callback that its API key signs (verified by its own handler). What the callback may bring was settled before the
 * first byte: which link, which batch, which name, size and SHA-256. The bytes are then fetched, compared, and validated
 * as any other upload; what lay at UploadThing meanwhile is removed whatever comes of it.
 */
const Input = z.strictObject({
  token: z.string().max(100),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in lower-case hex'),
})

const Metadata = z.object({
  /** The link's token, sealed: what UploadThing keeps must not open anything. */
  link: z.string(),
  batch_id: z.string(),
  name: z.string(),
  size: z.number(),
  sha256: z.string(),
  session: z.string().nullable(),
})

const ONE_FILE = {
  blob: { maxFileSize: '1GB', maxFileCount: 1, acl: 'private', contentDisposition: 'attachment' },
} as const

export async function directUploads(exchange: Exchange): Promise<Response> {
  if (env.STORAGE !== 'uploadthing') throw notFound('page')
  const { ctx, request } = exchange
  const f = createUploadthing()
  const router = {
    link: f(ONE_FILE)
      .input(Input)
      .middleware(({ input, files }) => settle(ctx, input, files).catch(asUploadThingError))
      .onUploadComplete(({ metadata, file }) => receive(ctx, Metadata.parse(metadata), file)),
  }
  // Where we are is our own knowledge, not what the request's headers say.
  const callbackUrl = new URL('/api/uploadthing', ctx.ports.baseUrl).href
  const config = { ...uploadThingOptions(env), callbackUrl, isDev: false, logLevel: 'None' as const }
  return createRouteHandler({ router, config })(request)
}

async function settle(
  ctx: Context,
  { token, sha256 }: z.infer<typeof Input>,
  files: readonly { name: string; size: number }[],
) {
  const [file, ...others] = files
  if (!file || others.length > 0)
    throw new UploadThingError({ code: 'BAD_REQUEST', message: 'Send one file at a time.' })
  const arrival = await receiveFileByLink.open(ctx, { token })
  const { batch } = await arrival.expect()
  await arrival.validateName(file)
  return {
    link: ctx.ports.secrets.encrypt(token),
    batch_id: batch.id,
    name: file.name,
    size: file.size,
    sha256,
    session: ctx.credentials.uploadSession,
    // Under a name that reveals nothing, and by which the sweeper knows what was left behind.
    [UTFiles]: [{ ...file, name: `${INCOMING}${randomUUID()}` }],
  }
}

/** The verdict on a file that arrived there, for the browser that waits for it. */
async function receive(ctx: Context, settled: z.infer<typeof Metadata>, file: { key: string; size: number }) {
  const { name, size, sha256 } = settled
  const staged = await ctx.ports.blobs.stage()
  try {
    if (file.size !== size) return refused('a file of another size than was announced')
    const credentials = { ...ctx.credentials, uploadSession: settled.session }
    const token = ctx.ports.secrets.decrypt(settled.link)
    const arrival = await receiveFileByLink.open({ ...ctx, credentials }, { token })
    const { batch } = await arrival.expect()
    if (batch.id !== settled.batch_id) return refused('a file for another batch than the link is for')
    await pipeline(await openAtUploadThing(env, file.key), await staged.writable({ expected: size }))
    const isAsAnnounced = (await staged.size()) === size && (await new FileHash(staged.path).finish(size)) === sha256
    if (!isAsAnnounced) return refused('other bytes than were announced')
    return { accepted: true as const, ...(await arrival.receive({ name, size, sha256, staged })) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return {
      accepted: false as const,
      code: error.code,
      message: error.message,
      violations: error.facts.violations ?? [],
    }
  } finally {
    await staged.discard()
    await removeFromUploadThing(env, file.key)
  }
}

const refused = (what: string) => ({
  accepted: false as const,
  code: 'file_rejected',
  message: `UploadThing brought ${what}. Nothing was stored; send the file again.`,
  violations: [],
})

/** A fault of the file is the request's; anything else closes the link to it. */
function asUploadThingError(error: unknown): never {
  if (!isRefusal(error)) throw error
  const [violation] = error.facts.violations ?? []
  if (violation) throw new UploadThingError({ code: 'BAD_REQUEST', message: violation.message })
  throw new UploadThingError({ code: 'FORBIDDEN', message: error.message })
}
