import { hash, verify } from '@node-rs/argon2'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { refuseTaken } from '../kernel/database-errors'
import { invalidField, invalidState, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, reading, type Tx } from '../kernel/operation'
import { LIMITS, takeShared } from '../kernel/rate-limit'
import { onSelf, onUser, type UserRow } from './find'
import { presentMe, presentUser } from './queries'
import { assertAdministratorRemains, assertNotErased, isActiveAdministrator } from './rules'
import { ChangePassword, CreateUser, Me, UpdateUser, User } from './schema'

export const createUser = command({
  name: 'createUser',
  summary: 'Add a person',
  permission: 'users.manage',
  input: CreateUser,
  output: User,
  created: (user) => `/api/users/${user.id}`,
  prepare: async (_ctx, { input }) => (input.password ? hash(input.password) : null),
  async run(tx, { input: { email, name, role }, prepared: passwordHash }) {
    const [user] = await refuseTaken(
      tx.db
        .insert(users)
        .values({ id: newId(tx.now), email, name, role, passwordHash, createdAt: tx.now, updatedAt: tx.now })
        .returning(),
      emailTaken(email),
    )
    if (!user) throw new Error('An inserted user did not come back.')
    await tx.record({ type: 'user.created', subjectId: user.id, data: { name, email, role } })
    return presentUser(user)
  },
})

export const updateUser = command({
  name: 'updateUser',
  summary: 'Change a person: name, e-mail address, role, password; disable and enable',
  permission: 'users.manage',
  resource: onUser,
  input: UpdateUser,
  output: User,
  conditional: async (_tx, user) => presentUser(user),
  prepare: async (_ctx, { input }) => (input.password ? hash(input.password) : null),
  async run(tx, { resource: user, input, prepared: passwordHash }) {
    assertNotErased(user)
    const next = {
      name: input.name ?? user.name,
      email: input.email ?? user.email,
      role: input.role ?? user.role,
      disabledAt: input.disabled === undefined ? user.disabledAt : input.disabled ? (user.disabledAt ?? tx.now) : null,
    }
    const changes = changesBetween(user, next)
    if (!changes && !passwordHash) return presentUser(user)
    if (isActiveAdministrator(user) && !isActiveAdministrator(next)) {
      assertAdministratorRemains(user, next, await otherActiveAdministrators(tx, user))
    }
    const endsSessions = passwordHash !== null || next.disabledAt !== user.disabledAt
    const [changed] = await refuseTaken(
      tx.db
        .update(users)
        .set({
          ...next,
          ...(passwordHash && { passwordHash }),
          ...(endsSessions && { sessionVersion: sql`${users.sessionVersion} + 1` }),
          updatedAt: tx.now,
        })
        .where(eq(users.id, user.id))
        .returning(),
      emailTaken(next.email),
    )
    if (!changed) throw new Error(`User ${user.id} vanished while it was changed.`)
    await tx.record({
      type: 'user.updated',
      subjectId: user.id,
      data: { name: next.name, ...changes, ...(passwordHash && { password: 'reset' }) },
    })
    return presentUser(changed)
  },
})

const emailTaken = (email: string) => ({
  users_email_key: {
    path: 'email',
    code: 'taken',
    message: `Another user has the e-mail address ${quote(email)} already. Change that person, or use another address.`,
  },
})

/** Two administrators who disable each other at once must not both succeed: one waits here for the other. */
export async function otherActiveAdministrators(tx: Tx, user: UserRow): Promise<number> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtext('greenroom active administrators'))`)
  return tx.db.$count(users, and(eq(users.role, 'administrator'), isNull(users.disabledAt), ne(users.id, user.id)))
}

export const changeOwnPassword = command({
  name: 'changeOwnPassword',
  summary: 'Change your own password; every session of yours ends, this one too',
  permission: 'directory.read',
  resource: onSelf,
  input: ChangePassword,
  output: Me,
  async prepare(ctx, { resource: user, input }) {
    if (user.passwordHash === null) {
      throw invalidState(
        'Your account has no password: you sign in through the identity provider, and change it there.',
        'no_password',
        ['password'],
      )
    }
    await takeShared(reading(ctx), LIMITS.signIn, `password:${user.id}`)
    if (!(await verify(user.passwordHash, input.current_password))) {
      throw invalidField('current_password', 'wrong_password', 'This is not your current password. Type it again.')
    }
    return { from: user.passwordHash, to: await hash(input.new_password) }
  },
  async run(tx, { resource: user, prepared }) {
    if (user.passwordHash !== prepared.from) {
      throw invalidField('current_password', 'wrong_password', 'Your password was changed a moment ago. Sign in again.')
    }
    await tx.db
      .update(users)
      .set({ passwordHash: prepared.to, sessionVersion: sql`${users.sessionVersion} + 1`, updatedAt: tx.now })
      .where(eq(users.id, user.id))
    await tx.record({ type: 'user.updated', subjectId: user.id, data: { name: user.name, password: 'changed' } })
    return presentMe(tx, { ...user, updatedAt: tx.now })
  },
})
