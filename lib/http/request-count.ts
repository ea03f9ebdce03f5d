type Count = { count: number; seconds: number }

/** What a web process measures of itself. Processor time in seconds, memory in bytes, its start in Unix seconds. */
export type ProcessMetrics = {
  /** By method and status (`GET 200`). */
  requests: [string, Count][]
  residentBytes: number
  heapBytes: number
  cpuSeconds: number
  startedAt: number
}

// On `globalThis`, because every bundle of a route has modules of its own.
const shared = globalThis as typeof globalThis & { greenroomRequests?: Map<string, Count> }

function requestCounts(): Map<string, Count> {
  shared.greenroomRequests ??= new Map()
  return shared.greenroomRequests
}

export function countRequest(method: string, status: number, milliseconds: number) {
  const counts = requestCounts()
  const key = `${method} ${status}`
  const before = counts.get(key) ?? { count: 0, seconds: 0 }
  counts.set(key, { count: before.count + 1, seconds: before.seconds + milliseconds / 1000 })
}

export function ownMetrics(): ProcessMetrics {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    requests: [...requestCounts()],
    residentBytes: rss,
    heapBytes: heapUsed,
    cpuSeconds: (user + system) / 1e6,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
  }
}
