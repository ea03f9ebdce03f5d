import type { BlobStore } from './blob-store'

/**
 * What the domain asks of the world outside. The kernel declares what every noun shares; a noun that needs more declares it
 * in its own `port.ts` and adds it to these two interfaces under its name (TypeScript's interface merging). `lib/service.ts`
 * provides them all, and does not compile while one is missing.
 */

/** Returns at once, from memory: may be used inside a transaction. */
export interface InstantPorts {
  /** Address of the service, without a trailing slash. */
  baseUrl: string
  secrets: Secrets
  /** False: no actor is held up by a rate limit (benches). */
  limitsRates: boolean
}

/** Handles bytes, decodes, draws, or waits for another system: never used inside a transaction, so a `Tx` has none of it. */
export interface SlowPorts {
  blobs: BlobStore
}

export type Ports = InstantPorts & SlowPorts

/** Keeps a link's token readable for those who may see it, and not for those who only have the database. */
export interface Secrets {
  encrypt(text: string): string
  decrypt(sealed: string): string
}
