import { and, count, desc, eq, gte, ilike, inArray, isNotNull, lt, lte, or, type SQL } from 'drizzle-orm'
import { agencies } from '@/db/schema/directory'
import { batches, projects } from '@/db/schema/projects'
import { BATCH_STATUSES } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { contains, decodeCursor, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { coversOf } from './covers'
import { serializeBatches } from './queries'
import { BrowseBatches, BrowsedBatches } from './schema'

/** Batches whose projects go on; what is in closed projects is history. */
const RUNNING = ['active', 'on_hold'] as const

const found = (tx: Tx) =>
  tx.db
    .select({
      id: batches.id,
      project: { id: projects.id, name: projects.name },
      agency: { id: agencies.id, name: agencies.name },
    })
    .from(batches)
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(agencies, eq(agencies.id, projects.agencyId))
    .$dynamic()

export const browseBatches = query({
  name: 'browseBatches',
  summary:
    'Batches of all projects you see, newest first, with images of their newest files: by status, day, people or name',
  permission: 'projects.read',
  input: BrowseBatches,
  output: BrowsedBatches,
  async run(tx, { input }) {
    const mine = tx.actor.type === 'user' && input.mine === 'true' ? tx.actor.id : null
    const like = input.q ? contains(input.q) : null
    const matching = and(
      visibleTo(tx.actor),
      input.project_id ? eq(batches.projectId, input.project_id) : inArray(projects.status, [...RUNNING]),
      input.agency_id ? eq(projects.agencyId, input.agency_id) : undefined,
      input.media_category_id ? eq(batches.mediaCategoryId, input.media_category_id) : undefined,
      mine ? or(eq(batches.operatorId, mine), eq(batches.coordinatorId, mine)) : undefined,
      like ? or(ilike(batches.name, like), ilike(projects.name, like)) : undefined,
      input.due_from || input.due_to ? isNotNull(batches.dueOn) : undefined,
      input.due_from ? gte(batches.dueOn, input.due_from) : undefined,
      input.due_to ? lte(batches.dueOn, input.due_to) : undefined,
    ) as SQL
    const rows = await found(tx)
      .where(
        and(
          matching,
          input.status ? eq(batches.status, input.status) : undefined,
          input.cursor ? lt(batches.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(batches.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    const ids = shown.map(({ id }) => id)
    const listed = new Map((await serializeBatches(tx, ids)).map((batch) => [batch.id, batch]))
    const covers = await coversOf(tx, 'batch', ids)
    const counted = await tx.db
      .select({ status: batches.status, count: count() })
      .from(batches)
      .innerJoin(projects, eq(projects.id, batches.projectId))
      .where(matching)
      .groupBy(batches.status)
    return {
      batches: shown.flatMap(({ id, project, agency }) => {
        const batch = listed.get(id)
        return batch ? [{ ...batch, project, agency, covers: covers.get(id) ?? [] }] : []
      }),
      counts: Object.fromEntries(
        BATCH_STATUSES.map((status) => [status, counted.find((row) => row.status === status)?.count ?? 0]),
      ) as BrowsedBatches['counts'],
      next_cursor,
    }
  },
})
