import { sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { costEstimates } from '@/db/schema/cost-estimates'
import type { RecordedEvent } from '../kernel/events'
import type { Tx } from '../kernel/operation'
import { pricesOf, takeNumber, writeLines } from './pricing'
import { recordEvent } from './trail'

/**
 * A review round beyond what was quoted proposes a change estimate: a draft with one round at the price last quoted, in
 * the name of the batch's coordinator. It is never sent by itself. Rounds that an open estimate offers already
 * are not proposed twice; where no round was ever quoted there is nothing to go beyond.
 */
export async function proposeExtraRound(tx: Tx, event: RecordedEvent): Promise<void> {
  const [scope] = await tx.db.execute<{
    quoted: number
    offered: number
    used: number
    batch: string
    project: string
    coordinator: string
  }>(sql`
    select
      (select coalesce(sum(l.quantity) filter (where e.status = 'approved'), 0)::float8 from cost_estimates e
        join cost_estimate_lines l on l.estimate_id = e.id and not l.is_declined
        where e.project_id = b.project_id and l.unit = 'round') as quoted,
      (select coalesce(sum(l.quantity), 0)::float8 from cost_estimates e
        join cost_estimate_lines l on l.estimate_id = e.id and not l.is_declined
        where e.project_id = b.project_id and l.unit = 'round' and e.status <> 'rejected') as offered,
      (select coalesce(sum(round), 0)::int from batches where project_id = b.project_id) as used,
      b.name as batch, p.name as project, coalesce(b.coordinator_id, p.created_by) as coordinator
    from batches b join projects p on p.id = b.project_id where b.id = ${event.batchId}`)
  if (!scope || scope.quoted === 0 || scope.used <= scope.offered) return
  const [last] = await tx.db.execute<{
    id: string
    number: string
    description: string
    unit_price: string
    currency: string
    tax_rate: string
  }>(sql`
    select e.id, e.number, l.description, l.unit_price, e.currency, e.tax_rate from cost_estimates e
      join cost_estimate_lines l on l.estimate_id = e.id and not l.is_declined
    where e.project_id = ${event.projectId} and l.unit = 'round' and e.status = 'approved'
    order by e.decided_at desc nulls last, l.position limit 1`)
  if (!last || !event.projectId) return
  const { batch, project, quoted, used } = scope
  const { columns, lines } = pricesOf({
    line_items: [
      {
        description: last.description,
        quantity: 1,
        unit_price: Number(last.unit_price),
        unit: 'round',
        optional: false,
      },
    ],
    currency: last.currency,
    discount: null,
    tax_rate: Number(last.tax_rate),
  })
  const id = newId(tx.now)
  const number = await takeNumber(tx)
  const title = `Extra review round: ${batch}`.slice(0, 200)
  await tx.db.insert(costEstimates).values({
    id,
    number,
    projectId: event.projectId,
    title,
    ...columns,
    notes: `Round ${event.data.round} of ${batch} goes beyond the ${quoted} quoted for this project; ${used} are used. Priced as in ${last.number}.`,
    createdBy: scope.coordinator,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  await writeLines(tx, id, lines)
  await recordEvent(
    tx,
    'estimate.proposed',
    { id, number, title, projectId: event.projectId },
    { batch, project, quoted, used, round: event.data.round, total: columns.total },
  )
}
