// `npm run user -- --email EMAIL --name NAME --role ROLE`: makes a user. `--reset` gives an existing user a new password.
// The password is made up and printed once. `--first-admin` prints the address where the first administrator is made.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { closeDatabase } from '@/db/client'
import { users } from '@/db/schema/directory'
import { isWithoutUsers, setupPath } from '@/lib/domain/directory/setup'
import { createUser, updateUser } from '@/lib/domain/directory/users'
import { DomainError } from '@/lib/domain/kernel/errors'
import { env, requireSharedSecret } from '@/lib/env'
import { newContext } from '@/lib/service'
import { ROLES } from '@/lib/vocabulary'

const { values } = parseArgs({
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string', default: 'administrator' },
    reset: { type: 'boolean', default: false },
    'first-admin': { type: 'boolean', default: false },
  },
})
const isFirst = values['first-admin']
if (!values.email && !isFirst) {
  console.error(
    `Say whom: npm run user -- --email EMAIL [--name NAME] [--role ${ROLES.join('|')}], npm run user -- --email EMAIL --reset, or npm run user -- --first-admin`,
  )
  process.exit(1)
}
const password = randomBytes(12).toString('base64url')
try {
  if (isFirst) requireSharedSecret(process.env)
  const ctx = newContext({ actor: { type: 'system', name: 'Command line' } })
  const { email = '', name = email, role, reset } = values
  if (isFirst) {
    if (!(await isWithoutUsers(ctx.db))) throw new Error('An account exists already: an administrator makes accounts.')
    console.log(
      `The first administrator is made at this address. It works once:\n${env.BASE_URL}${setupPath(ctx.ports.secrets)}`,
    )
  } else if (reset) {
    const [user] = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(sql`lower(${users.email}) = ${email.trim().toLowerCase()}`)
    if (!user) throw new Error(`No account here has the e-mail address ${email}.`)
    await updateUser.execute(ctx, { user_id: user.id }, { password })
    console.log(`${email} has a new password, shown once; every session of theirs has ended:\n${password}`)
  } else {
    await createUser.execute(ctx, {}, { email, name, role, password })
    console.log(`${email} can sign in as ${role}. Password, shown once:\n${password}`)
  }
} catch (error) {
  console.error(error instanceof DomainError ? error.detail : error instanceof Error ? error.message : error)
  process.exitCode = 1
}
await closeDatabase()
