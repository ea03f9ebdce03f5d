import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { reviewStages } from '@/db/schema/review-stages'
import type { Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { countsOf } from './counts'
import type { BatchInProject } from './find'
import { isDecided, type StageProgress } from './stage-rules'

/**
 * The stages of a batch in their order, with how far each is. A file counts as rejected where anybody rejected it; as
 * approved where any, or all, who take part approved it, as the stage needs. What was decided on other bytes does not count.
 */
export async function stagesOf(tx: Tx, batchId: string): Promise<StageProgress[]> {
  const stages = await tx.db
    .select()
    .from(reviewStages)
    .where(eq(reviewStages.batchId, batchId))
    .orderBy(asc(reviewStages.position), asc(reviewStages.id))
  if (stages.length === 0) return []
  // Only files of which something was said are looked at: of the others the count of the batch says enough.
  const counted = await tx.db.execute<{ id: string; approved: number; rejected: number }>(sql`
    with people as (
      select m.stage_id, m.user_id as who from review_stage_members m join review_stages s on s.id = m.stage_id
        where s.batch_id = ${batchId}
      union all
      select l.stage_id, l.id from review_links l
        where l.batch_id = ${batchId} and l.stage_id is not null and l.deactivated_at is null),
    said as (
      select d.stage_id, d.user_id as who, d.file_id, d.sha256, d.decision from stage_decisions d
        join review_stages s on s.id = d.stage_id where s.batch_id = ${batchId}
      union all
      select l.stage_id, l.id, g.file_id, g.sha256, g.decision from guest_decisions g
        join review_links l on l.id = g.link_id where l.batch_id = ${batchId} and l.stage_id is not null),
    per_file as (
      select s.id, s.needs, f.id as file_id,
        count(*) filter (where said.decision = 'rejected') as rejections,
        count(*) filter (where said.decision = 'approved') as approvals,
        count(*) filter (where said.decision = 'approved' and people.who is not null) as by_people,
        (select count(*) from people p where p.stage_id = s.id) as people
      from said join review_stages s on s.id = said.stage_id
      join files f on f.id = said.file_id and f.sha256 = said.sha256 and f.batch_id = s.batch_id and f.is_current
      left join people on people.stage_id = s.id and people.who = said.who
      group by s.id, s.needs, f.id)
    select id,
      count(*) filter (where rejections > 0)::int as rejected,
      count(*) filter (where rejections = 0 and case needs when 'all' then people > 0 and by_people >= people else approvals > 0 end)::int as approved
    from per_file group by id`)
  const { files } = await countsOf(tx, batchId)
  return stages.map((stage) => {
    const { approved = 0, rejected = 0 } = counted.find(({ id }) => id === stage.id) ?? {}
    const { id, name, position, dueAt, completedAt, skippedAt, withdrawnAt } = stage
    return { id, name, position, dueAt, completedAt, skippedAt, withdrawnAt, files, approved, rejected }
  })
}

/** Writes down which stages are through since something changed, and says so once for each. */
export async function settleStages(tx: Tx, { project, batch }: BatchInProject) {
  for (const stage of await stagesOf(tx, batch.id)) {
    if (isDecided(stage) === (stage.completedAt !== null)) continue
    await tx.db
      .update(reviewStages)
      .set({ completedAt: isDecided(stage) ? tx.now : null })
      .where(and(eq(reviewStages.id, stage.id), isNull(reviewStages.withdrawnAt)))
    if (!isDecided(stage) || stage.withdrawnAt) continue
    await tx.record({
      type: 'review_stage.completed',
      projectId: project.id,
      batchId: batch.id,
      subjectId: stage.id,
      data: {
        name: stage.name,
        batch: batch.name,
        approved: stage.approved,
        rejected: stage.rejected,
        completed_at: iso(tx.now),
      },
    })
  }
}
