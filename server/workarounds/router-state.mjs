import { createRequire } from 'node:module'

const { parseAndValidateFlightRouterState } = createRequire(import.meta.url)(
  'next/dist/server/app-render/parse-and-validate-flight-router-state',
)

/**
 * Takes away what a browser's router says of itself when it cannot be read: Next responds with a plain 500, and a
 * request without it with the whole page.
 */
export function dropBrokenRouterState(headers) {
  try {
    parseAndValidateFlightRouterState(headers['next-router-state-tree'])
  } catch {
    delete headers['next-router-state-tree']
  }
}
