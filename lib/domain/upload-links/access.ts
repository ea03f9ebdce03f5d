import { uploadSessions } from '@/db/schema/upload-links'
import { forbidden } from '../kernel/errors'
import { hasLinkKey, passwordMatches } from '../kernel/link-password'
import type { Tx } from '../kernel/operation'
import { isSession, type LinkInBatch, type LinkRow, type SessionRow } from './find'
import { assertReadable, isSessionOpen } from './rules'

/** What the holder of a link may reach: by its state, its password, and the session that is presented. */

/** The session of the one who asks. Where the link is locked, it is read under the lock. */
export async function sessionOf(tx: Tx, { link, session }: LinkInBatch): Promise<SessionRow | null> {
  const { uploadSession } = tx.credentials
  if (session !== undefined || uploadSession === null) return session ?? null
  const [found] = await tx.db.select().from(uploadSessions).where(isSession(link.id, uploadSession))
  return found ?? null
}

export async function holdsUse(tx: Tx, on: LinkInBatch): Promise<boolean> {
  const session = await sessionOf(tx, on)
  return session !== null && session.fileCount > 0 && isSessionOpen(session, tx.now)
}

/** Whether the holder may view anything behind the link: it is not over, and its password was given. */
export async function assertOpened(tx: Tx, on: LinkInBatch) {
  const isRunning = await holdsUse(tx, on)
  assertReadable(on.link, on.batch, tx.now, isRunning)
  await assertUnlocked(tx, on.link, isRunning)
}

/** A session that holds a use had the password when it took it, and belongs to the client that knows its key. */
export async function isUnlocked(tx: Tx, link: LinkRow, sessionHoldsUse: boolean): Promise<boolean> {
  if (link.passwordHash === null || hasLinkKey(tx, link) || sessionHoldsUse) return true
  const { linkPassword } = tx.credentials
  return linkPassword !== null && passwordMatches(tx, link, linkPassword)
}

export async function assertUnlocked(tx: Tx, link: LinkRow, sessionHoldsUse: boolean) {
  if (await isUnlocked(tx, link, sessionHoldsUse)) return
  throw forbidden(
    'This link is protected by a password. Send it as “Upload-Link-Password”, or open the link in a browser and type it there.',
  )
}
