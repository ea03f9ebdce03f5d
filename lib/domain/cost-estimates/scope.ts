import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { query } from '../kernel/operation'
import { onProject } from '../projects/find'

const ProjectScope = z.object({
  quoted: z.object({ files: z.number(), rounds: z.number() }),
  used: z.object({ files: z.int(), rounds: z.int() }),
})

/** What approved estimates of a project quoted per file and per round, against what came: current files, review rounds. */
export const getProjectScope = query({
  name: 'getProjectScope',
  summary: 'What was quoted per file and per round, against what was used',
  permission: 'estimates.read',
  resource: onProject,
  output: ProjectScope,
  async run(tx, { resource }) {
    const [row] = await tx.db.execute<{ files: number; rounds: number; used_files: number; used_rounds: number }>(sql`
      select
        coalesce(sum(l.quantity) filter (where l.unit = 'file'), 0)::float8 as files,
        coalesce(sum(l.quantity) filter (where l.unit = 'round'), 0)::float8 as rounds,
        (select coalesce(sum(files), 0)::int from batch_counts where project_id = ${resource.id}) as used_files,
        (select coalesce(sum(round), 0)::int from batches where project_id = ${resource.id}) as used_rounds
      from cost_estimates e join cost_estimate_lines l on l.estimate_id = e.id and not l.is_declined
      where e.project_id = ${resource.id} and e.status = 'approved'`)
    return {
      quoted: { files: row?.files ?? 0, rounds: row?.rounds ?? 0 },
      used: { files: row?.used_files ?? 0, rounds: row?.used_rounds ?? 0 },
    }
  },
})
