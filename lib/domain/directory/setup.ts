import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Executor } from '@/db/client'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { notFound } from '../kernel/errors'
import { type Context, command, type Finder, query, type Tx } from '../kernel/operation'
import type { Secrets } from '../kernel/ports'
import { findByLink } from '../kernel/rate-limit'
import { presentUser } from './queries'
import { SetUpService, User } from './schema'

/** What the token of a setup address says, sealed with the service's own secret: no other service can make one. */
const PURPOSE = 'the first administrator of this service'

/** The path where the first administrator is made; good until there is a user, and never again. */
export const setupPath = (secrets: Pick<Secrets, 'encrypt'>) => `/setup/${secrets.encrypt(PURPOSE)}`

/** Whether no user can sign in because there is none. */
export const isWithoutUsers = async (db: Executor) => (await db.$count(users)) === 0

async function assertOpen(ctx: Pick<Tx, 'db' | 'ports'>, token: string) {
  if (!opens(ctx.ports.secrets, token) || !(await isWithoutUsers(ctx.db))) throw notFound('setup address')
}

function opens(secrets: Secrets, token: string): boolean {
  try {
    return secrets.decrypt(token) === PURPOSE
  } catch {
    return false
  }
}

const bySetupToken: Finder<'token', null> = {
  params: ['token'],
  async find(tx, { token }) {
    await assertOpen(tx, token)
    return null
  },
}

/** The holder of the address acts as the installation itself, which has no user yet. */
async function authenticateInstaller(ctx: Context, { token }: Record<'token', string>) {
  await findByLink(
    ctx,
    () => assertOpen(ctx, token),
    () => 'setup',
  )
  return { type: 'system', name: 'Setup' } as const
}

export const getSetup = query({
  name: 'getSetup',
  summary: 'Whether this setup address is good: it was printed at the start, and there is no user yet',
  permission: 'anyone',
  resource: bySetupToken,
  authenticateAs: authenticateInstaller,
  output: z.object({ is_open: z.literal(true) }),
  run: async () => ({ is_open: true as const }),
})

export const setUpService = command({
  name: 'setUpService',
  summary: 'Make the first administrator of an empty service; afterwards the address is good for nothing',
  permission: 'anyone',
  resource: bySetupToken,
  authenticateAs: authenticateInstaller,
  input: SetUpService,
  output: User,
  created: (user) => `/api/users/${user.id}`,
  prepare: async (_ctx, { input }) => hash(input.password),
  async run(tx, { input: { email, name }, prepared: passwordHash }) {
    // Of two who press the button at once one waits here, and then finds that there is a user.
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtext('greenroom first administrator'))`)
    if (!(await isWithoutUsers(tx.db))) throw notFound('setup address')
    const role = 'administrator'
    const [user] = await tx.db
      .insert(users)
      .values({ id: newId(tx.now), email, name, role, passwordHash, createdAt: tx.now, updatedAt: tx.now })
      .returning()
    if (!user) throw new Error('An inserted user did not come back.')
    await tx.record({ type: 'user.created', subjectId: user.id, data: { name, email, role } })
    return presentUser(user)
  },
})
