import { AsyncResource } from 'node:async_hooks'
import { allSettled, type Context, inTransaction, type Tx, writingIn } from './operation'

/** Of one transaction; what came meanwhile waits for the next. */
const MOST = 16

type Member<S> = {
  ctx: Context
  /** Its request, with its trace. */
  scope: AsyncResource
  write: (tx: Tx, resource: S) => Promise<unknown>
  resolve: (result: never) => void
  reject: (error: unknown) => void
  /** The same in a transaction of its own. */
  alone: () => Promise<unknown>
}

/**
 * Lets what many write to one resource at the same time share a transaction: while one is under way, those who come wait for
 * the next, together. Then a resource is locked, and a commit flushed, once for all of them, and those who wait hold no
 * connection. Whoever could not be written together is written alone.
 */
export class SharedTransactions<S> {
  /** By key: who waits for the transaction under way. */
  private readonly waiting = new Map<string, Member<S>[]>()

  /**
   * Writes with all of the same key. `find` gives the resource, locked, for all of them; `alone` writes in a transaction of its
   * own, where the shared one was rolled back.
   */
  run<A>(
    key: string,
    ctx: Context,
    find: (tx: Tx) => Promise<S>,
    write: (tx: Tx, resource: S) => Promise<A>,
    alone: () => Promise<A>,
  ): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      const scope = new AsyncResource('SharedTransactions')
      // What it writes names its own request and trace, whoever's transaction it is in.
      const member = { ctx, scope, write: scope.bind(write), resolve, reject, alone: scope.bind(alone) }
      const others = this.waiting.get(key)
      if (others) others.push(member)
      else void this.lead(key, member, find)
    })
  }

  private async lead(key: string, first: Member<S>, find: (tx: Tx) => Promise<S>) {
    const queue = [first]
    this.waiting.set(key, queue)
    for (let next = queue[0]; next; next = queue[0])
      await next.scope.runInAsyncScope(() => writeTogether(queue.splice(0, MOST), find))
    this.waiting.delete(key)
  }
}

/** Never rejects: each member hears how it ended for it. */
async function writeTogether<S>(members: Member<S>[], find: (tx: Tx) => Promise<S>): Promise<void> {
  const [first] = members
  if (!first) return
  const settleAlone = () =>
    Promise.all(members.map(({ alone, resolve, reject }) => alone().then(resolve as (result: unknown) => void, reject)))
  if (members.length === 1) return void (await settleAlone())
  let isWritten = false
  try {
    const results = await inTransaction(first.ctx, async (tx) => {
      const resource = await find(tx)
      // Sent without waiting for one another.
      const all = await allSettled(members.map(async ({ ctx, write }) => write(writingIn(tx, ctx), resource)))
      isWritten = true
      return all
    })
    members.forEach(({ resolve }, index) => {
      resolve(results[index] as never)
    })
  } catch (error) {
    // What went wrong before the commit was rolled back. Whether a commit that failed was one is not known.
    if (!isWritten) return void (await settleAlone())
    for (const { reject } of members) reject(error)
  }
}
