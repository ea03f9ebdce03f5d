import { ROLES, type Role, roleOrHigher } from '@/lib/vocabulary'
import { DomainError, forbidden } from './errors'

/**
 * Who acts. A token acts as its user; `scope: 'read'` only reads.
 * `upload_link`, `client` and `guest` are people without an account who hold a link.
 */
export type Actor =
  | {
      type: 'user'
      id: string
      name: string
      email: string
      role: Role
      scope: 'read' | 'write'
      via: 'session' | 'token'
    }
  | { type: 'upload_link'; id: string; name: string }
  /** The holder of the link to an estimate; `id` is the estimate's. */
  | { type: 'client'; id: string; name: string }
  /** The holder of a review link, or the receiver of a share link; `id` is the link's. */
  | { type: 'guest'; id: string; name: string }
  | { type: 'system'; name: string }
  | { type: 'anonymous' }

export type UserActor = Extract<Actor, { type: 'user' }>

/** Action -> least role. Membership of the project comes on top, for everything below one. */
export const PERMISSIONS = {
  'projects.read': 'viewer',
  'projects.create': 'coordinator',
  'projects.update': 'coordinator',
  'members.manage': 'coordinator',
  'batches.create': 'coordinator',
  'batches.update': 'coordinator',
  'batches.cancel': 'coordinator',
  'batches.submit': 'operator',
  'files.upload': 'operator',
  'files.review': 'operator',
  'files.delete': 'coordinator',
  'files.move': 'coordinator',
  'comments.write': 'operator',
  'comments.moderate': 'coordinator',
  'upload_links.read': 'viewer',
  'upload_links.manage': 'coordinator',
  'review_links.read': 'viewer',
  'review_links.manage': 'coordinator',
  'deliveries.read': 'viewer',
  'deliveries.manage': 'coordinator',
  'estimates.read': 'viewer',
  'estimates.manage': 'coordinator',
  'pre_qc.rerun': 'operator',
  'pre_qc.waive': 'operator',
  'pre_qc.waive_blocking': 'coordinator',
  'repairs.propose': 'operator',
  'repairs.decide': 'coordinator',
  'analytics.read': 'coordinator',
  'directory.read': 'viewer',
  'directory.manage': 'administrator',
  'users.manage': 'administrator',
  'settings.manage': 'administrator',
  'audit.read': 'administrator',
  'retention.manage': 'administrator',
  'tokens.own': 'viewer',
  'tokens.of_others': 'administrator',
  'notifications.own': 'viewer',
  'views.own': 'viewer',
  'views.share': 'operator',
} as const satisfies Record<string, Role>
export type Permission = keyof typeof PERMISSIONS

export const isAtLeast = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least)

/** Whether the actor's role allows the action; screens ask this to decide which buttons there are. */
export function can(actor: Actor, permission: Permission): boolean {
  if (actor.type === 'system') return true
  return actor.type === 'user' && isAtLeast(actor.role, PERMISSIONS[permission])
}

/** @throws `forbidden` with the role that is needed */
export function allow(actor: Actor, permission: Permission) {
  if (can(actor, permission)) return
  if (actor.type !== 'user') throw unauthenticated()
  throw forbidden(
    `This needs the role ${roleOrHigher(PERMISSIONS[permission])}; you are ${/^[aeiou]/.test(actor.role) ? 'an' : 'a'} ${actor.role}. Ask an administrator if you should have it.`,
  )
}

/** @throws `forbidden` for a token that only reads */
export function assertMayWrite(actor: Actor) {
  if (actor.type !== 'user' || actor.scope === 'write') return
  throw forbidden('This token may only read. Make one with the scope “write” to change anything.')
}

export const unauthenticated = (detail = 'Sign in, or send an API token as “Authorization: Bearer gr_…”.') =>
  new DomainError('unauthenticated', detail)
