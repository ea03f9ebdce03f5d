import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { onBatch } from '../batches/find'
import { invalidField, quote } from '../kernel/errors'
import { query, type Tx } from '../kernel/operation'
import { contains, ref, text } from '../kernel/shapes'

/** People named in comments: an @ and the name in the text, the id beside it. */

type Ref = z.output<typeof ref>

/** So many people are suggested at once. */
const SUGGESTED = 20

/** Users who may see what is below the project: its members and administrators, as long as they may sign in. */
const mayRead = (projectId: string) =>
  and(
    isNull(users.disabledAt),
    or(
      eq(users.role, 'administrator'),
      sql`exists (select 1 from project_members m where m.project_id = ${projectId} and m.user_id = ${users.id})`,
    ),
  ) as SQL

const BatchPeople = z.object({ people: z.array(ref) }).meta({ id: 'BatchPeople' })

export const listBatchPeople = query({
  name: 'listBatchPeople',
  summary: `Who may see the batch, and so may be named in its comments: the first ${SUGGESTED}, by name`,
  permission: 'comments.write',
  resource: onBatch,
  input: z.strictObject({ q: text(200).trim().optional().describe('Part of the name') }),
  output: BatchPeople,
  async run(tx, { resource: { project }, input }) {
    const people = await tx.db
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(
        and(
          mayRead(project.id),
          input.q ? sql`lower(${users.name}) like ${contains(input.q.toLowerCase())}` : undefined,
        ),
      )
      .orderBy(asc(sql`lower(${users.name})`), asc(users.id))
      .limit(SUGGESTED)
    return { people }
  },
})

/** Those of these people who may see the project now; the others are no more than words of the text. */
export async function readersAmong(tx: Tx, projectId: string, ids: readonly string[]): Promise<Map<string, Ref>> {
  if (ids.length === 0) return new Map()
  const found = await tx.db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(inArray(users.id, [...new Set(ids)]), mayRead(projectId)))
  return new Map(found.map((person) => [person.id, person]))
}

/**
 * Everyone who is mentioned may see the batch, and is named in the text.
 *
 * @throws `validation_failed`
 */
export async function assertMentions(
  tx: Tx,
  projectId: string,
  body: string,
  ids: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const readers = await readersAmong(tx, projectId, wanted)
  for (const id of wanted) {
    const person = readers.get(id)
    if (!person)
      throw invalidField(
        'mentions',
        'unknown_reference',
        `No person ${quote(id)} may see this batch. Mention only those who may.`,
      )
    if (!body.includes(`@${person.name}`))
      throw invalidField(
        'mentions',
        'not_in_text',
        `The text does not say ${quote(`@${person.name}`)}. Write the name, or leave the mention out.`,
      )
  }
  return wanted
}

/** The text as the audit trail keeps it: people are ids in it, so that it names no person who is erased later. */
export async function withoutNames(tx: Tx, body: string, ids: readonly string[]): Promise<string> {
  if (ids.length === 0) return body
  const named = await tx.db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...ids]))
  // The longest first: one name may begin with another.
  return named
    .sort((a, b) => b.name.length - a.name.length)
    .reduce((said, { id, name }) => said.replaceAll(`@${name}`, `@${id}`), body)
}

/** The same text with the names people have now. */
export async function withNames(tx: Tx, said: string): Promise<string> {
  const ids = [...said.matchAll(NAMED_ID)].map(([, id = '']) => id)
  if (ids.length === 0) return said
  const named = await tx.db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))
  const nameOf = new Map(named.map(({ id, name }) => [id, name]))
  return said.replace(NAMED_ID, (whole, id: string) => (nameOf.has(id) ? `@${nameOf.get(id)}` : whole))
}

const NAMED_ID = /@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g

/** Of these people, those who were not yet notified of this comment. */
export async function notYetNotified(tx: Tx, commentId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const before = await tx.db
    .select({ data: events.data })
    .from(events)
    .where(and(eq(events.subjectId, commentId), eq(events.type, 'comment.mentioned')))
  const notified = new Set(before.flatMap(({ data }) => (Array.isArray(data.people) ? data.people : [])))
  return ids.filter((id) => !notified.has(id))
}
