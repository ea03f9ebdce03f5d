/** Requests this process answered, by method and status, for the metrics. */

type Count = { count: number; seconds: number }

// On `globalThis`, because every bundle of a route has modules of its own.
const shared = globalThis as typeof globalThis & { greenroomRequests?: Map<string, Count> }

export function requestCounts(): Map<string, Count> {
  shared.greenroomRequests ??= new Map()
  return shared.greenroomRequests
}

export function countRequest(method: string, status: number, milliseconds: number) {
  const counts = requestCounts()
  const key = `${method} ${status}`
  const before = counts.get(key) ?? { count: 0, seconds: 0 }
  counts.set(key, { count: before.count + 1, seconds: before.seconds + milliseconds / 1000 })
}
