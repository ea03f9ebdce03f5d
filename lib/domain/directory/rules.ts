import type { Role } from '@/lib/vocabulary'
import { invalidState, quote } from '../kernel/errors'

type Standing = { role: Role; disabledAt: Date | null }

export const isActiveAdministrator = (user: Standing) => user.role === 'administrator' && user.disabledAt === null

/**
 * One administrator must be able to let the others back in.
 * @throws `invalid_state` when the change would leave the service without an active administrator
 */
export function assertAdministratorRemains(
  before: Standing & { name: string },
  after: Standing,
  otherActiveAdministrators: number,
) {
  if (!isActiveAdministrator(before) || isActiveAdministrator(after) || otherActiveAdministrators > 0) return
  throw invalidState(
    `${quote(before.name)} is the last active administrator. Make another user administrator first, then repeat this.`,
    'last_active_administrator',
    ['another active administrator'],
  )
}

/** @throws `invalid_state` for a user who was erased: nothing can be assigned to them */
export function assertNotErased({ erasedAt }: { erasedAt: Date | null }) {
  if (erasedAt) throw invalidState('This person was erased. Add a new user instead.', 'erased', ['active', 'disabled'])
}

/** What a token is at this moment. */
export function tokenStatus(token: { expiresAt: Date | null; revokedAt: Date | null }, now: Date) {
  if (token.revokedAt) return 'revoked' as const
  return token.expiresAt && token.expiresAt <= now ? ('expired' as const) : ('active' as const)
}
