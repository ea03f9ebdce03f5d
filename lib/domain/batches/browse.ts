import { and, count, desc, eq, gte, ilike, inArray, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { agencies } from '@/db/schema/directory'
import { batches, projects } from '@/db/schema/projects'
import { BATCH_STATUSES, BOARD_STATUSES } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { isAmong } from '../kernel/rows'
import { contains, decodeCursor, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { coversOf } from './covers'
import { serializeBatches } from './queries'
import { BrowseBatches, BrowseBoard, BrowsedBatches } from './schema'

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

type Filters = Omit<z.output<typeof BrowseBatches>, 'status' | 'cursor' | 'limit'>

/** Of projects for which this holds: batches go by their index alone, the newest first. */
const ofProjects = (where: SQL | undefined) =>
  isAmong(batches.projectId, sql`select ${projects.id} from ${projects} where ${where}`)

/** What is seen of what is asked for, of every status; as a condition. */
function matching(tx: Tx, input: Filters): SQL {
  const mine = tx.actor.type === 'user' && input.mine === 'true' ? tx.actor.id : null
  const like = input.q ? contains(input.q) : null
  return and(
    input.project_id ? eq(batches.projectId, input.project_id) : undefined,
    ofProjects(
      and(
        visibleTo(tx.actor),
        input.project_id ? eq(projects.id, input.project_id) : inArray(projects.status, [...RUNNING]),
        input.agency_id ? eq(projects.agencyId, input.agency_id) : undefined,
      ),
    ),
    input.media_category_id ? eq(batches.mediaCategoryId, input.media_category_id) : undefined,
    mine ? or(eq(batches.operatorId, mine), eq(batches.coordinatorId, mine)) : undefined,
    like ? or(ilike(batches.name, like), ofProjects(ilike(projects.name, like))) : undefined,
    input.due_from || input.due_to ? isNotNull(batches.dueOn) : undefined,
    input.due_from ? gte(batches.dueOn, input.due_from) : undefined,
    input.due_to ? lte(batches.dueOn, input.due_to) : undefined,
  ) as SQL
}

type Found = Awaited<ReturnType<typeof found>>[number]

async function present(tx: Tx, shown: readonly Found[]): Promise<BrowsedBatches['batches']> {
  const ids = shown.map(({ id }) => id)
  const listed = new Map((await serializeBatches(tx, ids)).map((batch) => [batch.id, batch]))
  const covers = await coversOf(tx, 'batch', ids)
  return shown.flatMap(({ id, project, agency }) => {
    const batch = listed.get(id)
    return batch ? [{ ...batch, project, agency, covers: covers.get(id) ?? [] }] : []
  })
}

async function countByStatus(tx: Tx, where: SQL): Promise<BrowsedBatches['counts']> {
  const counted = await tx.db
    .select({ status: batches.status, count: count() })
    .from(batches)
    .where(where)
    .groupBy(batches.status)
  return Object.fromEntries(
    BATCH_STATUSES.map((status) => [status, counted.find((row) => row.status === status)?.count ?? 0]),
  ) as BrowsedBatches['counts']
}

export const browseBatches = query({
  name: 'browseBatches',
  summary:
    'Batches of all projects you see, newest first, with images of their newest files: by status, day, people or name',
  permission: 'projects.read',
  input: BrowseBatches,
  output: BrowsedBatches,
  async run(tx, { input }) {
    const where = matching(tx, input)
    const rows = await found(tx)
      .where(
        and(
          where,
          input.status ? eq(batches.status, input.status) : undefined,
          input.cursor ? lt(batches.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(batches.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return { batches: await present(tx, shown), counts: await countByStatus(tx, where), next_cursor }
  },
})

export const browseBoard = query({
  name: 'browseBoard',
  summary: 'The newest batches of each status of the board, and how many there are of every status',
  permission: 'projects.read',
  input: BrowseBoard,
  async run(tx, { input }) {
    const where = matching(tx, input)
    const columns: Found[][] = []
    for (const status of BOARD_STATUSES) {
      const newest = found(tx).where(and(where, eq(batches.status, status)))
      columns.push(await newest.orderBy(desc(batches.id)).limit(input.limit))
    }
    const shown = await present(tx, columns.flat())
    return {
      columns: BOARD_STATUSES.map((status) => ({ status, batches: shown.filter((each) => each.status === status) })),
      counts: await countByStatus(tx, where),
    }
  },
})
