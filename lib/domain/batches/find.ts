import { and, eq, type SQL, sql } from 'drizzle-orm'
import { agencies, agencyStorage, campaigns, mediaCategories } from '@/db/schema/directory'
import { batches, projects } from '@/db/schema/projects'
import { notFound } from '../kernel/errors'
import type { Finder, Tx } from '../kernel/operation'
import { isUuid } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import type { ProjectRow } from '../projects/find'

export type BatchRow = typeof batches.$inferSelect
export type BatchInProject = { project: ProjectRow; batch: BatchRow }

/** The batch inside the project, as the actor may see it. @throws `not_found` */
export async function findBatch(tx: Tx, projectId: string, batchId: string, lock: boolean): Promise<BatchInProject> {
  if (!isUuid(projectId)) throw notFound('project', projectId)
  const isTheirs = and(eq(projects.id, projectId), visibleTo(tx.actor))
  const ofBatch = isUuid(batchId) ? eq(batches.id, batchId) : sql`false`
  const [found] = await (lock ? locked(tx, isTheirs, ofBatch) : unlocked(tx, isTheirs, ofBatch))
  if (!found) throw notFound('project', projectId)
  const { project, batch } = found
  if (!batch) throw notFound('batch', batchId)
  return { project, batch }
}

const unlocked = (tx: Tx, isTheirs: SQL | undefined, ofBatch: SQL) =>
  tx.db
    .select({ project: projects, batch: batches })
    .from(projects)
    .leftJoin(batches, and(ofBatch, eq(batches.projectId, projects.id)))
    .where(isTheirs)

/** In one statement, and in the one order in which all lock: the project, then its batch. */
function locked(tx: Tx, isTheirs: SQL | undefined, ofBatch: SQL) {
  const project = lockedProject(tx, isTheirs)
  const batch = lockedBatch(tx, ofBatch)
  return tx.db.with(project, batch).select().from(project).leftJoin(batch, sql`true`)
}

/** For the `with` of a statement: the project, which keeps its status until the transaction ends. */
export const lockedProject = (tx: Tx, condition: SQL | undefined) =>
  tx.db.$with('project').as(tx.db.select().from(projects).where(condition).for('share'))

/** The same: a batch of `lockedProject`, which is locked first, since its id is asked for here. */
export const lockedBatch = (tx: Tx, condition: SQL) =>
  tx.db.$with('batch').as(
    tx.db
      .select()
      .from(batches)
      .where(and(condition, sql`${batches.projectId} = (select id from project)`))
      .for('no key update'),
  )

export const onBatch: Finder<'project_id' | 'batch_id', BatchInProject> = {
  params: ['project_id', 'batch_id'],
  find: (tx, { project_id, batch_id }, lock) => findBatch(tx, project_id, batch_id, lock),
}

/** A batch by its id alone, for resources that name it in their body or query. @throws `not_found` */
export async function findBatchById(tx: Tx, batchId: string, lock: boolean): Promise<BatchInProject> {
  const [row] = isUuid(batchId)
    ? await tx.db.select({ projectId: batches.projectId }).from(batches).where(eq(batches.id, batchId))
    : []
  if (!row) throw notFound('batch', batchId)
  return findBatch(tx, row.projectId, batchId, lock).catch((error) => {
    // A foreign project must not show through: for the caller it is the batch that does not exist.
    throw error.code === 'not_found' ? notFound('batch', batchId) : error
  })
}

/** What names in the batch are read by, with what its media category takes and the room its agency has. */
export async function conventionOf(tx: Tx, { project, batch }: BatchInProject) {
  // A project without a campaign takes any of the agency's.
  const ofProject = project.campaignId ? eq(campaigns.id, project.campaignId) : eq(campaigns.agencyId, project.agencyId)
  const [found] = await tx.db
    .select({
      category: mediaCategories,
      agencyCode: agencies.code,
      storageQuota: agencies.storageQuota,
      storedBytes: sql`coalesce(${agencyStorage.bytes}, 0)`.mapWith(Number),
      campaignCodes: sql<string[]>`array(select ${campaigns.code} from ${campaigns} where ${ofProject})`,
    })
    .from(agencies)
    .leftJoin(mediaCategories, eq(mediaCategories.id, batch.mediaCategoryId))
    .leftJoin(agencyStorage, eq(agencyStorage.agencyId, agencies.id))
    .where(eq(agencies.id, project.agencyId))
  const category = found?.category
  return {
    template: batch.namingTemplate ?? category?.namingTemplate ?? null,
    agencyCode: found?.agencyCode ?? null,
    campaignCodes: found?.campaignCodes ?? [],
    mediaTypes: category?.mediaTypes ?? [],
    maxFileSize: category?.maxFileSize ?? Number.POSITIVE_INFINITY,
    storageQuota: found?.storageQuota ?? null,
    storedBytes: found?.storedBytes ?? 0,
  }
}

/** The template that holds for the batch: its own, else the category's, else none. */
export async function namingTemplateOf(tx: Tx, batch: BatchRow): Promise<string | null> {
  if (batch.namingTemplate !== null) return batch.namingTemplate
  const [category] = await tx.db
    .select({ template: mediaCategories.namingTemplate })
    .from(mediaCategories)
    .where(eq(mediaCategories.id, batch.mediaCategoryId))
  return category?.template ?? null
}
