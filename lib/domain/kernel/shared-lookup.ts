/** A look-up that has run for as long is not waited for: longer than any statement may take (db/client.ts). */
const GIVEN_UP_MS = 60_000

/**
 * Lets questions that come at the same time share a response: while one look-up of a key runs, a caller who asks meanwhile
 * waits for the next one, together. Every response was looked up after it was asked for, so nothing is ever stale. A look-up
 * that never ends keeps only those callers waiting that had begun to: after a minute the next caller starts anew.
 */
export function sharedLookup<T>(lookUp: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, { lookup: Promise<T>; since: number }>()
  const following = new Map<string, Promise<T>>()

  function start(key: string): Promise<T> {
    const lookup = lookUp(key)
    running.set(key, { lookup, since: performance.now() })
    const done = () => {
      if (running.get(key)?.lookup === lookup) running.delete(key)
    }
    lookup.then(done, done)
    return lookup
  }

  return (key) => {
    const current = running.get(key)
    if (!current || performance.now() - current.since > GIVEN_UP_MS) {
      following.delete(key)
      return start(key)
    }
    const joined = following.get(key)
    if (joined) return joined
    const next: Promise<T> = current.lookup.then(begin, begin)
    function begin() {
      if (following.get(key) === next) following.delete(key)
      return start(key)
    }
    following.set(key, next)
    return next
  }
}
