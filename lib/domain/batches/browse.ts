import { and, desc, eq, gte, ilike, inArray, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batches, projects } from '@/db/schema/projects'
import { BATCH_STATUSES, type BatchStatus, BOARD_STATUSES } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { isAmong } from '../kernel/rows'
import { contains, decodeCursor, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { ofProjects, projectsWhere, RUNNING } from './find'
import { presentPlaced } from './queries'
import { BrowseBatches, BrowseBoard, BrowsedBatches, MOST_COUNTED } from './schema'

type Filters = Omit<z.output<typeof BrowseBatches>, 'status' | 'cursor' | 'limit'>

/** The projects of what is asked for, as far as they are seen. */
const projectsOf = (tx: Tx, input: Filters): SQL =>
  projectsWhere(
    and(
      visibleTo(tx.actor),
      input.project_id ? eq(projects.id, input.project_id) : inArray(projects.status, [...RUNNING]),
      input.agency_id ? eq(projects.agencyId, input.agency_id) : undefined,
    ),
  )

/** A statement in which `seen` lists the projects of what is asked for, read once. */
const withSeen = (tx: Tx, input: Filters, statement: SQL): SQL =>
  sql`with seen as materialized (${projectsOf(tx, input)}) ${statement}`
const SEEN = sql`select id from seen`

/** What is asked for, of every status; as a condition on batches, of projects that are listed so. */
function matching(tx: Tx, input: Filters, list: SQL): SQL {
  const mine = tx.actor.type === 'user' && input.mine === 'true' ? tx.actor.id : null
  const like = input.q ? contains(input.q) : null
  return and(
    input.project_id ? eq(batches.projectId, input.project_id) : undefined,
    isAmong(batches.projectId, list),
    input.media_category_id ? eq(batches.mediaCategoryId, input.media_category_id) : undefined,
    mine ? or(eq(batches.operatorId, mine), eq(batches.coordinatorId, mine)) : undefined,
    like ? or(ilike(batches.name, like), ofProjects(ilike(projects.name, like))) : undefined,
    input.due_from || input.due_to ? isNotNull(batches.dueOn) : undefined,
    input.due_from ? gte(batches.dueOn, input.due_from) : undefined,
    input.due_to ? lte(batches.dueOn, input.due_to) : undefined,
  ) as SQL
}

/** How many there are of each status, the newest first, up to MOST_COUNTED. */
async function countByStatus<S extends BatchStatus>(
  tx: Tx,
  input: Filters,
  statuses: readonly S[],
): Promise<Record<S, number>> {
  const asked = sql.join(
    statuses.map((status) => sql`(${status}::text)`),
    sql`, `,
  )
  const counted = await tx.db.execute<{ status: S; count: number }>(
    withSeen(
      tx,
      input,
      sql`select asked.status, (select count(*)::int from (select from ${batches}
          where ${matching(tx, input, SEEN)} and ${batches.status} = asked.status
          order by ${batches.id} desc limit ${MOST_COUNTED}) found) as count
        from (values ${asked}) asked (status)`,
    ),
  )
  return Object.fromEntries(counted.map(({ status, count }) => [status, count])) as Record<S, number>
}

export const browseBatches = query({
  name: 'browseBatches',
  summary:
    'Batches of all projects you see, newest first, with images of their newest files: by status, day, people or name',
  permission: 'projects.read',
  input: BrowseBatches,
  output: BrowsedBatches,
  async run(tx, { input }) {
    const rows = await tx.db
      .select({ id: batches.id })
      .from(batches)
      .where(
        and(
          matching(tx, input, projectsOf(tx, input)),
          input.status ? eq(batches.status, input.status) : undefined,
          input.cursor ? lt(batches.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(batches.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return {
      batches: await presentPlaced(
        tx,
        shown.map(({ id }) => id),
      ),
      counts: await countByStatus(tx, input, BATCH_STATUSES),
      next_cursor,
    }
  },
})

export const browseBoard = query({
  name: 'browseBoard',
  summary: 'The newest batches of each status of the board, and how many there are of each',
  permission: 'projects.read',
  input: BrowseBoard,
  async run(tx, { input }) {
    const newest = BOARD_STATUSES.map(
      (status) => sql`(select ${batches.id} from ${batches}
        where ${matching(tx, input, SEEN)} and ${batches.status} = ${status} order by ${batches.id} desc limit ${input.limit})`,
    )
    const found = await tx.db.execute<{ id: string }>(withSeen(tx, input, sql.join(newest, sql` union all `)))
    const shown = await presentPlaced(
      tx,
      found.map(({ id }) => id),
    )
    return {
      columns: BOARD_STATUSES.map((status) => ({ status, batches: shown.filter((each) => each.status === status) })),
      counts: await countByStatus(tx, input, BOARD_STATUSES),
    }
  },
})
