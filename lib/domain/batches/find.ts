import { eq, sql } from 'drizzle-orm'
import { agencies, agencyStorage, campaigns, mediaCategories } from '@/db/schema/directory'
import { batches } from '@/db/schema/projects'
import { notFound } from '../kernel/errors'
import type { Finder, Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import { isUuid } from '../kernel/shapes'
import { findProject, type ProjectRow } from '../projects/find'

export type BatchRow = typeof batches.$inferSelect
export type BatchInProject = { project: ProjectRow; batch: BatchRow }

/** The batch inside the project, as the actor may see it. @throws `not_found` */
export async function findBatch(tx: Tx, projectId: string, batchId: string, lock: boolean): Promise<BatchInProject> {
  const project = await findProject(tx, projectId, lock ? 'share' : undefined)
  return { project, batch: await findRow(tx, batches, 'batch', batchId, lock, eq(batches.projectId, project.id)) }
}

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
