import { verify } from '@node-rs/argon2'
import { invalidField } from './errors'
import type { Tx } from './operation'
import { giveBack, LIMITS, takeShared } from './rate-limit'

/** What is common to links for people without an account that may have a password. */
type LockedLink = { id: string; passwordHash: string | null }

/** What a browser keeps instead of the password: worthless for any other link, and once the password changes. */
const linkKeyOf = (tx: Tx, link: LockedLink) => tx.ports.secrets.encrypt(lockOf(link))
const lockOf = (link: LockedLink) => `${link.id}:${link.passwordHash?.slice(-22) ?? ''}`

/** Outside any transaction and any lock: the guess stays counted, and only the caller waits for the hash. */
export async function passwordMatches(tx: Tx, link: LockedLink, password: string) {
  const subject = `${link.id}:${tx.address ?? 'unknown'}`
  // Counted before it is known whether it is right, so that many at once are no way around.
  await takeShared(tx, LIMITS.linkPassword, subject)
  const matches = link.passwordHash !== null && (await verify(link.passwordHash, password))
  if (matches) await giveBack(tx, LIMITS.linkPassword, subject)
  return matches
}

/** The key for the password. @throws `validation_failed` for a wrong one */
export async function keyForPassword(tx: Tx, link: LockedLink, password: string): Promise<string> {
  if (link.passwordHash && !(await passwordMatches(tx, link, password))) {
    throw invalidField('password', 'wrong_password', 'That is not the password of this link. Ask its sender.')
  }
  return linkKeyOf(tx, link)
}

/** Whether the caller presents the key of this very link. */
export function hasLinkKey({ credentials: { linkKey }, ports }: Tx, link: LockedLink) {
  if (linkKey === null) return false
  try {
    return ports.secrets.decrypt(linkKey) === lockOf(link)
  } catch {
    return false
  }
}
