import { randomInt } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { env } from '@/lib/env'
import type { Role } from '@/lib/vocabulary'
import { database } from './client'
import { users } from './schema'

const PEOPLE: { email: string; name: string; role: Role }[] = [
  { email: 'admin@greenroom.test', name: 'Ada Brandt', role: 'administrator' },
  { email: 'coordinator@greenroom.test', name: 'Caro Lindqvist', role: 'coordinator' },
  { email: 'operator@greenroom.test', name: 'Omar Haddad', role: 'operator' },
  { email: 'viewer@greenroom.test', name: 'Vera Novak', role: 'viewer' },
]

/** Fills an empty database with the demo workspace, all or nothing. Null when there is somebody in it already. */
export async function seedDemo(): Promise<{ password: string } | null> {
  const { db } = database()
  if ((await db.$count(users)) > 0) return null
  const password = env.DEMO_PASSWORD ?? readablePassword()
  const passwordHash = await hash(password)
  await db.insert(users).values(PEOPLE.map((person) => ({ ...person, passwordHash })))
  return { password }
}

/** Four groups without letters and digits that look alike: some 79 bits, and still easy to type. */
function readablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: 4 }, group).join('-')
}
