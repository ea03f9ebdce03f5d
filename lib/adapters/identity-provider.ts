import { z } from 'zod'
import { sharedLookup } from '@/lib/domain/kernel/shared-lookup'

const TIMEOUT_MS = 3_000
const KNOWN_FOR_MS = 30_000

/** What sign-in needs to know of a provider (OpenID Connect Discovery 1.0, section 3). */
const Configuration = z.object({ issuer: z.string(), authorization_endpoint: z.url(), token_endpoint: z.url() })

/** Where a provider says how it is talked to. */
export const configurationAddress = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** Why users cannot sign in through this provider now, in a few words without an address; null when they can. */
export async function findProviderProblem(issuer: string): Promise<string | null> {
  try {
    const response = await fetch(configurationAddress(issuer), { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) return `its configuration responds with ${response.status}`
    const read = Configuration.safeParse(await response.json().catch(() => null))
    if (!read.success) return 'its configuration is not that of an OpenID Connect provider'
    return read.data.issuer.replace(/\/$/, '') === issuer.replace(/\/$/, '')
      ? null
      : 'it calls itself by another address'
  } catch {
    return 'it does not respond'
  }
}

const known = new Map<string, { at: number; problem: string | null }>()
const ask = sharedLookup(async (issuer: string) => {
  const problem = await findProviderProblem(issuer)
  known.set(issuer, { at: Date.now(), problem })
  return problem
})

/** The same for pages and probes that are asked often: what is known is said for half a minute. */
export async function providerProblem(issuer: string): Promise<string | null> {
  const found = known.get(issuer)
  return found && Date.now() - found.at < KNOWN_FOR_MS ? found.problem : ask(issuer)
}
