import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import type { UserActor } from '@/lib/domain/kernel/permissions'
import { env } from '@/lib/env'
import type { Role } from '@/lib/vocabulary'
import { database } from './client'
import { users } from './schema'

const PEOPLE = {
  admin: { email: 'admin@greenroom.test', name: 'Ada Brandt', role: 'administrator' },
  coordinator: { email: 'coordinator@greenroom.test', name: 'Caro Lindqvist', role: 'coordinator' },
  operator: { email: 'operator@greenroom.test', name: 'Omar Haddad', role: 'operator' },
  viewer: { email: 'viewer@greenroom.test', name: 'Vera Novak', role: 'viewer' },
  second: { email: 'mika@greenroom.test', name: 'Mika Sorensen', role: 'operator' },
} as const satisfies Record<string, { email: string; name: string; role: Role }>

/** Stands while the demo workspace is being made: where it is found at a start, the last one was cut short. */
const marker = () => path.join(env.DATA_DIR, 'demo-unfinished')

/** Fills an empty database with the demo workspace. Null when there is somebody in it already. */
export async function seedDemo(): Promise<{ password: string } | null> {
  const { db } = database()
  if (existsSync(marker())) await emptyEverything()
  if ((await db.$count(users)) > 0) return null
  mkdirSync(env.DATA_DIR, { recursive: true })
  writeFileSync(
    marker(),
    'The demo workspace was being made. If this file is still here, the next start makes it anew.\n',
  )
  const password = env.DEMO_PASSWORD ?? randomBytes(9).toString('base64url')
  const passwordHash = await hash(password)
  const staff = {} as Record<keyof typeof PEOPLE, UserActor>
  for (const [key, person] of Object.entries(PEOPLE) as [keyof typeof PEOPLE, (typeof PEOPLE)[keyof typeof PEOPLE]][]) {
    const [user] = await db
      .insert(users)
      .values({ ...person, passwordHash })
      .returning()
    if (!user) throw new Error(`${person.email} was not made.`)
    staff[key] = {
      type: 'user',
      id: user.id,
      name: user.name,
      email: user.email,
      role: user.role,
      scope: 'write',
      via: 'session',
    }
  }
  // Every start comes by here; what makes the files is loaded by the first one alone.
  const [{ seedWorkspace }, { closeInspector }, { closeMeasurer }] = await Promise.all([
    import('./seed/workspace'),
    import('@/lib/media/inspect/inspect'),
    import('@/lib/media/measurer/measurer'),
  ])
  try {
    await seedWorkspace(staff)
  } finally {
    closeInspector()
    closeMeasurer()
  }
  rmSync(marker())
  return { password }
}

/** Only ever after a cut-short first start, which began with an empty database. */
async function emptyEverything() {
  const { db } = database()
  const tables = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const guard = (state: 'disable' | 'enable') =>
    ['events', 'audit_seals'].map((table) => `alter table ${table} ${state} trigger user`).join('; ')
  // The audit trail refuses to be emptied, rightly; this one tells of a workspace that never came to be.
  const truncate = `truncate ${tables.map(({ name }) => name).join(', ')} cascade`
  await db.transaction((tx) => tx.execute(sql.raw(`${guard('disable')}; ${truncate}; ${guard('enable')}`)))
}
