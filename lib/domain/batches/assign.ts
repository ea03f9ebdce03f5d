import { eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { users } from '@/db/schema/directory'
import { batches } from '@/db/schema/projects'
import { DomainError, quote } from '../kernel/errors'
import { command, type Tx } from '../kernel/operation'
import { changeBatch } from './commands'
import { type BatchRow, findBatchById } from './find'
import { AssignBatches, AssignedBatches, type Assignment } from './schema'

export const assignBatches = command({
  name: 'assignBatches',
  summary:
    'Set operator, coordinator or due date of several batches at once; those that another user changed meanwhile, or that cannot be changed, stay, each with the reason',
  permission: 'batches.update',
  input: AssignBatches,
  output: AssignedBatches,
  async run(tx, { input }) {
    const outcome: z.output<typeof AssignedBatches> = { changed: [], left: [] }
    for (const asked of await inOneOrder(tx, input.batches)) {
      let name: string | null = null
      try {
        const found = await findBatchById(tx, asked.id, true)
        name = found.batch.name
        await assertAsSeen(tx, found.batch, asked.seen ?? {})
        await changeBatch(tx, found, asked.to)
        outcome.changed.push({ id: asked.id, name })
      } catch (error) {
        // Refused before anything of it was written: the others go on.
        if (!(error instanceof DomainError)) throw error
        outcome.left.push({ batch: { id: asked.id, name }, reason: error.detail })
      }
    }
    return outcome
  },
})

type Asked = z.output<typeof AssignBatches>['batches'][number]

/** Each once, ordered as everybody locks many: by project, then by batch. */
async function inOneOrder(tx: Tx, asked: readonly Asked[]): Promise<Asked[]> {
  const byId = new Map(asked.map((each) => [each.id, each]))
  const rows = await tx.db
    .select({ id: batches.id, projectId: batches.projectId })
    .from(batches)
    .where(inArray(batches.id, [...byId.keys()]))
  const projectOf = new Map(rows.map(({ id, projectId }) => [id, projectId]))
  const placeOf = ({ id }: Asked) => `${projectOf.get(id) ?? ''} ${id}`
  return [...byId.values()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** @throws `stale` with what it is by now */
async function assertAsSeen(tx: Tx, batch: BatchRow, seen: Assignment) {
  const nameOf = async (id: string | null) => {
    if (id === null) return 'no one'
    const [person] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, id))
    return person?.name ?? 'another user'
  }
  const stale = (what: string, now: string) =>
    new DomainError('stale', `The ${what} of ${quote(batch.name)} is ${now} by now. Look at it again, then decide.`)
  if (seen.operator_id !== undefined && seen.operator_id !== batch.operatorId)
    throw stale('operator', await nameOf(batch.operatorId))
  if (seen.coordinator_id !== undefined && seen.coordinator_id !== batch.coordinatorId)
    throw stale('coordinator', await nameOf(batch.coordinatorId))
  if (seen.due_on !== undefined && seen.due_on !== batch.dueOn) throw stale('due date', batch.dueOn ?? 'empty')
}
