import type { z } from 'zod'
import { span } from '@/lib/tracing'
import type { StagedBlob } from './blob-store'
import { Refusal } from './errors'
import type { Beside } from './events'
import { authenticate, type Context, type Finder, type Hooks, permit, reading, type Tx, transact } from './operation'
import { type Actor, assertMayWrite, type Permission } from './permissions'
import { SharedTransactions } from './shared-transaction'

/** A file of which the name is known, and perhaps the size. */
export type NamedFile = { name: string; size?: number }

/** A file whose bytes have arrived, in a staged object. */
export type Upload = { name: string; size: number; sha256: string; staged: StagedBlob }

/** A file of which the first `upTo` bytes are at `path`; `mayChange`: they may yet be replaced. */
type IncomingFile = { name: string; path: string; upTo: number; mayChange?: boolean }

/** Where a file goes, and what is expected there. */
type Destination<S, E> = { resource: S; expected: E }

/** How files are validated, by whatever protocol they come. Whatever it throws refuses the file. */
export type Validation<S, E, V> = {
  /** What can be said before a byte is read. */
  name(ctx: Context, to: Destination<S, E>, file: NamedFile): Promise<void>
  /** Hears how far a file is written that is still coming in. */
  arriving(ctx: Context, file: IncomingFile): void
  /** The verdict on the whole file; makes its bytes durable when it passes. What it returns reaches `store`. */
  bytes(ctx: Context, to: Destination<S, E>, upload: Upload): Promise<V>
  /** Takes back what `bytes` made durable, when `store` refuses. */
  undo(ctx: Context, to: Destination<S, E>, upload: Upload, validated: V, refusal: Refusal): Promise<void>
  /** Hears that the file was stored; nothing it does can take that back. */
  stored?(ctx: Context, upload: Upload, validated: V): Promise<void>
}

type IntakeSpec<P extends string, S, E, V, A> = {
  name: string
  /** One line for the API reference. */
  summary: string
  permission: Permission | 'anyone'
  resource: Finder<P, S>
  /** For paths that carry their own right: who acts, and the resource that says so. */
  enter?: (ctx: Context, params: Record<P, string>) => Promise<{ actor: Actor; resource: S }>
  /** The shape of the response, for the API description and the tests. */
  output: z.ZodType<A>
  /** The path of what was stored. */
  created: (result: A, params: Record<P, string>) => string
  /** Bytes, where a file may have fewer than the service takes. */
  maxBytes?: number
  /** Throws when not even uploads that were begun may be asked about any more. */
  assertReadable?: (tx: Tx, resource: S) => void
  /** What may come here now; throws when nothing may. Asked once for a request, before its bytes. */
  expect(tx: Tx, resource: S): Promise<E>
  validate: Validation<NoInfer<S>, E, V>
  /** Whether files that are stored there at the same time may share a transaction (`Tx.isShared`). */
  isShared?: (resource: NoInfer<S>) => boolean
  /**
   * Writes the rows and the event, which takes along what `besideEvent` gives for the response. The resource is locked, so
   * what may have changed since `expect` is asked again.
   */
  store(
    tx: Tx,
    to: Destination<S, E> & { upload: Upload; validated: V },
    besideEvent: (result: A) => Beside[],
  ): Promise<A>
}

/** One request that brings a file, or a part of one. */
export type Arrival<S, A> = {
  /** With the actor that the path says, if it says one. */
  ctx: Context
  /** Bytes that a file may have at most, where that is fewer than the service takes. */
  maxBytes: number
  assertReadable(): Promise<void>
  /** Throws when nothing may come. However often it is called, the database is asked once. */
  expect(): Promise<S>
  /** Refuses a file by its name and size alone. */
  validateName(file: NamedFile): Promise<void>
  arriving(file: IncomingFile): void
  /** Validates and stores a file that is there as a whole. The caller discards its staged bytes. */
  receive(upload: Upload, options?: Hooks & { now?: Date }): Promise<A>
}

/** An operation that takes a file: what is expected, the verdict on what came, and the transaction that stores it. */
export type Intake<P extends string = string, S = unknown, A = unknown> = {
  kind: 'intake'
  name: string
  summary: string
  permission: Permission | 'anyone'
  params: readonly P[]
  output: z.ZodType<A>
  created: (result: A, params: Record<P, string>) => string
  open(ctx: Context, params: Record<P, string>): Promise<Arrival<S, A>>
  /** For a file that is there already. */
  execute(ctx: Context, params: Record<P, string>, upload: Upload, hooks?: Hooks): Promise<A>
}

// biome-ignore lint/suspicious/noExplicitAny: adapters handle intakes of every shape alike
export type AnyIntake = Intake<any, any, any>

/** Defines an operation that takes a file. Adapters in lib/uploads bring the bytes to it. */
export function intake<P extends string, S, E, V, A>(spec: IntakeSpec<P, S, E, V, A>): Intake<P, S, A> {
  const transactions = new SharedTransactions<S>()

  async function open(outer: Context, params: Record<P, string>): Promise<Arrival<S, A>> {
    const entered = await spec.enter?.(outer, params)
    const ctx = entered ? { ...outer, actor: entered.actor } : outer
    const tx = reading(ctx)
    const find = async () => entered?.resource ?? spec.resource.find(tx, params, false)
    let asked: Promise<Destination<S, E>> | undefined
    const ask = async () => {
      authenticate(ctx.actor, spec.permission)
      assertMayWrite(ctx.actor)
      const resource = await find()
      permit(ctx.actor, spec.permission)
      return { resource, expected: await spec.expect(tx, resource) }
    }
    const destination = () => {
      asked ??= ask()
      return asked
    }

    function store(storing: Context, to: Destination<S, E>, upload: Upload, validated: V, hooks: Hooks) {
      const findLocked = (writingTx: Tx) => spec.resource.find(writingTx, params, true)
      const write = async (writingTx: Tx, resource: S) => {
        permit(ctx.actor, spec.permission)
        let isTaken = hooks.beside === undefined
        const besideEvent = (result: A) => {
          isTaken = true
          return hooks.beside?.(writingTx, result) ?? []
        }
        const result = await spec.store(writingTx, { resource, expected: to.expected, upload, validated }, besideEvent)
        if (!isTaken) throw new Error(`${spec.name} wrote no event with its response.`)
        await hooks.beforeCommit?.(writingTx, result)
        return result
      }
      const alone = () => transact(storing, async (writingTx) => write(writingTx, await findLocked(writingTx)))
      if (!spec.isShared?.(to.resource)) return alone()
      // What was found for one is what another would find: of the same actor, at the same place.
      return transactions.run(JSON.stringify([ctx.actor, params]), storing, findLocked, write, alone)
    }

    async function receive(upload: Upload, { now = ctx.now, ...hooks }: Hooks & { now?: Date }) {
      const storing = { ...ctx, now }
      const to = await destination()
      const validated = await spec.validate.bytes(storing, to, upload)
      const result = await store(storing, to, upload, validated, hooks).catch(async (error: unknown) => {
        // Only a refusal is certain not to have committed; after anything else the sweeper decides by what the rows say.
        if (error instanceof Refusal) await spec.validate.undo(storing, to, upload, validated, error)
        throw error
      })
      await spec.validate.stored?.(storing, upload, validated)
      return result
    }

    return {
      ctx,
      maxBytes: spec.maxBytes ?? Number.POSITIVE_INFINITY,
      assertReadable: async () => spec.assertReadable?.(tx, await find()),
      expect: async () => (await destination()).resource,
      validateName: async (file) => spec.validate.name(ctx, await destination(), file),
      arriving: (file) => spec.validate.arriving(ctx, file),
      receive: (upload, options = {}) => span(spec.name, () => receive(upload, options)),
    }
  }

  return {
    kind: 'intake',
    name: spec.name,
    summary: spec.summary,
    permission: spec.permission,
    params: spec.resource.params,
    output: spec.output,
    created: spec.created,
    open,
    execute: async (ctx, params, upload, hooks) => (await open(ctx, params)).receive(upload, hooks),
  }
}
