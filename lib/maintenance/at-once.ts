/**
 * Runs `work` on every item, at most `limit` at the same time. The first failure ends it once what is under way has come
 * to its end, and is thrown.
 */
export async function atOnce<T>(
  limit: number,
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = generate(items)
  let failure: { error: unknown } | undefined
  const run = async () => {
    for (;;) {
      const { done, value } = await queue.next()
      if (done || failure) return
      await work(value)
    }
  }
  const guarded = () =>
    run().catch((error: unknown) => {
      failure ??= { error }
    })
  await Promise.all(Array.from({ length: limit }, guarded))
  await queue.return(undefined)
  if (failure) throw failure.error
}

/** A generator puts requests for its next item in line; another iterator need not. */
async function* generate<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, undefined> {
  yield* items
}
