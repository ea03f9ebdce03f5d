import type { BatchInProject } from '@/lib/domain/batches/find'
import { noteRejection, rejected } from '@/lib/domain/files/intake'
import { extensionOf } from '@/lib/domain/files/media-types'
import { type Expectations, judgeBeforeBytes } from '@/lib/domain/files/rules'
import type { AnyOperation, Context, Hooks, Operation } from '@/lib/domain/kernel/operation'
import { assertMayWrite } from '@/lib/domain/kernel/permissions'
import type { TextAnswer } from './answer'
import { acting, type Exchange, once, respond } from './endpoint'
import { fingerprintOf, idempotencyKeyOf, routeOf } from './idempotency'
import { receivePart } from './multipart'

/** Up to here the bytes are read although the name is wrong already, so that the answer holds everything there is to mend. */
const READ_ON_BYTES = 64 * 1024 * 1024

type Expect = Pick<Operation, 'become' | 'name'> & {
  execute(ctx: Context, params: never): Promise<{ where: BatchInProject; expectations: Expectations }>
}
type Receive = AnyOperation

/**
 * The door through which one file comes in as a multipart part named `file`.
 * `expect` decides before the first byte whether anything may come; `receive` judges and stores what came.
 */
export const upload = (expect: Expect, receive: Receive) => async (exchange: Exchange) => {
  const { request } = exchange
  const ctx = await acting(expect, exchange)
  // Said before the bytes come, of which there may be gigabytes.
  assertMayWrite(ctx.actor)
  const params = exchange.params as never

  /** Receives the file, if one may come. `onName`: hears its name before its bytes. */
  const stage = async (onName: (name: string) => void = () => {}) => {
    const { where, expectations } = await expect.execute(ctx, params)
    const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
    return receivePart(request, {
      stage: () => ctx.outside.blobs.stage(),
      maxBytes: ctx.outside.maxFileSize,
      onWritten: ({ path }, name, upTo) => ctx.outside.followArrival(path, extensionOf(name), upTo),
      onName: async (name) => {
        onName(name)
        if (length <= READ_ON_BYTES) return
        const violations = judgeBeforeBytes(expectations, { name })
        if (violations.length === 0) return
        await noteRejection(ctx, where, { name }, violations)
        throw rejected(name, violations)
      },
    })
  }
  const receiveOne = async (part: Awaited<ReturnType<typeof stage>>, hooks?: Hooks) => {
    try {
      return await receive.execute({ ...ctx, now: new Date() }, params, part, hooks)
    } finally {
      await part.staged.discard()
    }
  }
  const shape = (answer: unknown) =>
    respond(201, answer, { Location: receive.created?.(answer, exchange.params) ?? '' })

  const key = idempotencyKeyOf(request)
  if (key === null) return shape(await receiveOne(await stage()))

  // What is refused before anything of the file is known is not kept; what is refused by its name is compared by that.
  let print = ''
  const nameOnly = (name: string) => fingerprintOf(`name ${name}`)
  const printOf = ({ name, sha256 }: { name: string; sha256: string }) => fingerprintOf(`${sha256} ${name}`)
  return once(
    ctx,
    routeOf(receive.name, exchange.params),
    key,
    () => print,
    async (keep) => {
      const part = await stage((name) => {
        print = nameOnly(name)
      })
      print = printOf(part)
      let kept: TextAnswer | undefined
      await receiveOne(part, {
        beforeCommit: async (tx, answer) => {
          kept = shape(answer)
          await keep(tx.db, kept)
        },
      })
      if (!kept) throw new Error('An upload ended without an answer.')
      return kept
    },
    async (kept) => {
      const sameName = new Error('The file has the name that was refused.')
      const part = await receivePart(request, {
        stage: () => ctx.outside.blobs.stage(),
        maxBytes: ctx.outside.maxFileSize,
        onName(name) {
          if (nameOnly(name) === kept) throw sameName
        },
      }).catch((error: unknown) => {
        if (error === sameName) return null
        throw error
      })
      await part?.staged.discard()
      return part ? printOf(part) : kept
    },
  )
}
