/**
 * Lets questions that come at the same time share a response: while one look-up of a key runs, a caller who asks meanwhile
 * waits for the next one, together. Every response was looked up after it was asked for, so nothing is ever stale.
 */
export function sharedLookup<T>(lookUp: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const following = new Map<string, Promise<T>>()

  function start(key: string): Promise<T> {
    const lookup = lookUp(key)
    running.set(key, lookup)
    const done = () => {
      if (running.get(key) === lookup) running.delete(key)
    }
    lookup.then(done, done)
    return lookup
  }

  return (key) => {
    const current = running.get(key)
    if (!current) return start(key)
    const joined = following.get(key)
    if (joined) return joined
    const begin = () => {
      following.delete(key)
      return start(key)
    }
    const next = current.then(begin, begin)
    following.set(key, next)
    return next
  }
}
