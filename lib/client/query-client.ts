import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api'

// A button is busy before its next press is heard: by default what is shown follows in a task of its own, and both
// presses of a double click were sent.
notifyManager.setScheduler(queueMicrotask)

/**
 * The cache of server state in one browser tab. Responses a person must fix (4xx) are never retried; a lost connection
 * or a server fault is, twice. Writes are never retried by themselves: the person decides. Without a network nothing is
 * put off until there is one: a decision would look made that never reached the server.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: 15_000,
        refetchOnWindowFocus: true,
        retry: (failures, error) => failures < 2 && (!(error instanceof ApiProblem) || error.isTransient),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
