import { sql } from 'drizzle-orm'
import { batchCounts, batches, projects } from '@/db/schema/projects'
import type { BatchStatus } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { isAnyOf } from '../kernel/rows'
import { visibleTo } from '../kernel/visibility'
import { dueStateOf } from './rules'
import { ProgressOf, ProjectProgressList } from './schema'

/** So many images stand for a batch or a project, taken from so many of its newest files. */
const MOST_COVERS = 4
const AMONG = 12

/** A list of ids as a table: `owner`, with the column `id`. */
const owners = (ids: readonly string[]) =>
  sql`(select value::uuid as id from json_array_elements_text(${JSON.stringify(ids)}::json)) owner`

/** Addresses of small images of the newest files of each batch or project, the newest first. */
export async function coversOf(
  tx: Tx,
  of: 'batch' | 'project',
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const column = of === 'batch' ? sql`batch_id` : sql`project_id`
  const rows = await tx.db.execute<{ owner: string; id: string; project_id: string; batch_id: string }>(sql`
    select owner.id as owner, cover.* from ${owners(ids)} cross join lateral (
      select newest.id, newest.project_id, newest.batch_id from (
        select id, project_id, batch_id, previews from files where ${column} = owner.id and is_current
        order by id desc limit ${AMONG}) newest
      where (newest.previews ->> 'thumbnail')::boolean
      order by newest.id desc limit ${MOST_COVERS}) cover
    order by owner.id, cover.id desc`)
  const covers = new Map<string, string[]>()
  for (const { owner, id, project_id, batch_id } of rows) {
    const url = `${tx.ports.baseUrl}/api/projects/${project_id}/batches/${batch_id}/files/${id}/thumbnail`
    covers.set(owner, [...(covers.get(owner) ?? []), url])
  }
  return covers
}

export const progressOf = query({
  name: 'progressOf',
  summary:
    'How far the batches of these projects are: files by decision, the next day due, images of their newest files',
  permission: 'projects.read',
  input: ProgressOf,
  output: ProjectProgressList,
  async run(tx, { input }) {
    const ids = input.project_ids.split(',')
    const rows = await tx.db.execute<{
      id: string
      batches: number
      open_batches: number
      files: number
      approved: number
      rejected: number
      pending: number
      due_on: string | null
      due_status: BatchStatus | null
    }>(sql`
      select projects.id, coalesce(held.batches, 0) as batches, coalesce(held.open_batches, 0) as open_batches,
        coalesce(counted.files, 0) as files, coalesce(counted.approved, 0) as approved,
        coalesce(counted.rejected, 0) as rejected, coalesce(counted.pending, 0) as pending,
        due.due_on::text as due_on, due.status as due_status
      from projects
        left join (select project_id, count(*)::int as batches,
            (count(*) filter (where status in ('open', 'in_review', 'awaiting_resupply')))::int as open_batches
          from batches where ${isAnyOf(batches.projectId, ids)} group by project_id) held on held.project_id = projects.id
        left join (select project_id, sum(files)::int as files, sum(approved)::int as approved,
            sum(rejected)::int as rejected, sum(pending)::int as pending
          from batch_counts where ${isAnyOf(batchCounts.projectId, ids)} group by project_id) counted
          on counted.project_id = projects.id
        left join (select distinct on (project_id) project_id, due_on, status from batches
          where ${isAnyOf(batches.projectId, ids)} and due_on is not null
            and status in ('open', 'in_review', 'awaiting_resupply')
          order by project_id, due_on, id) due on due.project_id = projects.id
      where ${isAnyOf(projects.id, ids)} and ${visibleTo(tx.actor) ?? sql`true`}
      order by projects.id`)
    const covers = await coversOf(
      tx,
      'project',
      rows.map(({ id }) => id),
    )
    return {
      projects: rows.map(({ due_on, due_status, ...row }) => {
        const state =
          due_on && due_status && dueStateOf({ dueOn: due_on, status: due_status, reviewedAt: null }, tx.now)
        return { ...row, due: due_on && state ? { on: due_on, state } : null, covers: covers.get(row.id) ?? [] }
      }),
    }
  },
})
