// `npm run user -- --email EMAIL --name NAME --role ROLE`: makes a user, the first administrator of an empty service
// above all. The password is made up and printed once.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { closeDatabase } from '@/db/client'
import { createUser } from '@/lib/domain/directory/users'
import { DomainError } from '@/lib/domain/kernel/errors'
import { newContext } from '@/lib/service'
import { ROLES } from '@/lib/vocabulary'

const { values } = parseArgs({
  options: { email: { type: 'string' }, name: { type: 'string' }, role: { type: 'string', default: 'administrator' } },
})
if (!values.email) {
  console.error(`Say whom: npm run user -- --email EMAIL [--name NAME] [--role ${ROLES.join('|')}]`)
  process.exit(1)
}
const password = randomBytes(12).toString('base64url')
try {
  await createUser.execute(
    newContext({ actor: { type: 'system', name: 'Command line' } }),
    {},
    { email: values.email, name: values.name ?? values.email, role: values.role, password },
  )
  console.log(`${values.email} can sign in as ${values.role}. Password, shown once:\n${password}`)
} catch (error) {
  console.error(error instanceof DomainError ? error.detail : error instanceof Error ? error.message : error)
  process.exitCode = 1
}
await closeDatabase()
