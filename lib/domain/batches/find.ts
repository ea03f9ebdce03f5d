import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { mediaCategories } from '@/db/schema/directory'
import { batches, projects } from '@/db/schema/projects'
import { notFound } from '../kernel/errors'
import type { Finder, Tx } from '../kernel/operation'
import { isAmong } from '../kernel/rows'
import { isUuid } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import type { ProjectRow } from '../projects/find'

export type BatchRow = typeof batches.$inferSelect

/** Batches whose projects go on; what is in closed projects is history. */
export const RUNNING = ['active', 'on_hold'] as const

/** The ids of the projects for which this holds, as a SELECT. */
export const projectsWhere = (where: SQL | undefined): SQL => sql`select ${projects.id} from ${projects} where ${where}`

/** Of projects for which this holds: batches go by their own index alone. */
export const ofProjects = (where: SQL | undefined): SQL => isAmong(batches.projectId, projectsWhere(where))
/** `convention`: where it was read with the batch. */
export type BatchInProject = { project: ProjectRow; batch: BatchRow; convention?: Convention }

/** Of a batch what its convention depends on. */
type Conventional = Pick<BatchRow, 'mediaCategoryId' | 'namingTemplate'>

/** What names in a batch are read by, with what its media category takes and the room its agency has. */
type Convention = {
  categoryTemplate: string | null
  agencyCode: string | null
  campaignCodes: string[]
  mediaTypes: string[] | null
  maxFileSize: number | null
  storageQuota: number | null
  storedBytes: number
}

/** The batch inside the project, as the actor may see it. @throws `not_found` */
export async function findBatch(tx: Tx, projectId: string, batchId: string, lock: boolean): Promise<BatchInProject> {
  return findBy(lock ? lockedBy('share') : unlocked, tx, projectId, batchId)
}

type Found = { project: ProjectRow; batch: BatchRow | null; convention?: Convention }
type Read = (tx: Tx, isTheirs: SQL | undefined, ofBatch: SQL) => PromiseLike<Found[]>

async function findBy(read: Read, tx: Tx, projectId: string, batchId: string): Promise<BatchInProject> {
  if (!isUuid(projectId)) throw notFound('project', projectId)
  const isTheirs = and(eq(projects.id, projectId), visibleTo(tx.actor))
  const [found] = await read(tx, isTheirs, isUuid(batchId) ? eq(batches.id, batchId) : sql`false`)
  if (!found) throw notFound('project', projectId)
  const { batch, ...rest } = found
  if (!batch) throw notFound('batch', batchId)
  return { ...rest, batch }
}

const unlocked = (tx: Tx, isTheirs: SQL | undefined, ofBatch: SQL) =>
  tx.db
    .select({ project: projects, batch: batches })
    .from(projects)
    .leftJoin(batches, and(ofBatch, eq(batches.projectId, projects.id)))
    .where(isTheirs)

const withConvention = (tx: Tx, isTheirs: SQL | undefined, ofBatch: SQL) =>
  tx.db
    .select({ project: projects, batch: batches, convention: conventionBeside })
    .from(projects)
    .leftJoin(batches, and(ofBatch, eq(batches.projectId, projects.id)))
    .where(isTheirs)

/** In one statement, and in the one order in which all lock: the project, then its batch. */
const lockedBy =
  (strength: ProjectLock) =>
  (tx: Tx, isTheirs: SQL | undefined, ofBatch: SQL): PromiseLike<Found[]> => {
    const project = lockedProject(tx, isTheirs, strength)
    const batch = lockedBatch(tx, ofBatch)
    return tx.db.with(project, batch).select().from(project).leftJoin(batch, sql`true`)
  }

/**
 * How the project of what is changed is held, so that it keeps its status until the transaction ends. `share`: others may hold
 * it too. `no key update`: one after another, in the order in which they came. So do files, which come in without a gap: shared,
 * their locks would overlap for as long as an upload of thousands takes, and a change of the project would wait for all of it.
 */
type ProjectLock = 'share' | 'no key update'

/** For the `with` of a statement. */
export const lockedProject = (tx: Tx, condition: SQL | undefined, strength: ProjectLock) =>
  tx.db.$with('project').as(tx.db.select().from(projects).where(condition).for(strength))

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

/** For what new files are to keep to: the same, with the convention of the batch in the same statement. */
export const onBatchForFiles: Finder<'project_id' | 'batch_id', BatchInProject> = {
  params: ['project_id', 'batch_id'],
  find: (tx, { project_id, batch_id }, lock) =>
    findBy(lock ? lockedBy('no key update') : withConvention, tx, project_id, batch_id),
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

const conventionFor = (of: { categoryId: SQLWrapper; agencyId: SQLWrapper; campaignId: SQLWrapper }) =>
  sql<Convention>`(select json_build_object('categoryTemplate', m.naming_template, 'mediaTypes', m.media_types,
      'maxFileSize', m.max_file_size, 'agencyCode', a.code, 'storageQuota', a.storage_quota,
      'storedBytes', coalesce(s.bytes, 0), 'campaignCodes', array(
        -- A project without a campaign takes any of the agency's. Each asked for by itself: one condition with both cases reads all campaigns.
        select c.code from campaigns c where c.id = ${of.campaignId}
        union all
        select c.code from campaigns c where c.agency_id = ${of.agencyId} and ${of.campaignId} is null))
    from agencies a
    left join media_categories m on m.id = ${of.categoryId}
    left join agency_storage s on s.agency_id = a.id
    where a.id = ${of.agencyId})`

/** For a statement that has the project and the batch. */
export const conventionBeside = conventionFor({
  categoryId: batches.mediaCategoryId,
  agencyId: projects.agencyId,
  campaignId: projects.campaignId,
})

/** What a batch asks of its files, with the room that its agency has. */
export async function conventionOf(
  tx: Tx,
  { project, batch, convention }: { project: ProjectRow; batch: Conventional; convention?: Convention },
) {
  const found = convention ?? (await readConvention(tx, project, batch))
  return {
    template: batch.namingTemplate ?? found?.categoryTemplate ?? null,
    agencyCode: found?.agencyCode ?? null,
    campaignCodes: found?.campaignCodes ?? [],
    mediaTypes: found?.mediaTypes ?? [],
    maxFileSize: found?.maxFileSize ?? Number.POSITIVE_INFINITY,
    storageQuota: found?.storageQuota ?? null,
    storedBytes: found?.storedBytes ?? 0,
  }
}

async function readConvention(tx: Tx, project: ProjectRow, batch: Conventional): Promise<Convention | undefined> {
  const asked = conventionFor({
    categoryId: sql`${batch.mediaCategoryId}::uuid`,
    agencyId: sql`${project.agencyId}::uuid`,
    campaignId: sql`${project.campaignId}::uuid`,
  })
  const [found] = await tx.db.execute<{ convention: Convention }>(sql`select ${asked} as convention`)
  return found?.convention
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
