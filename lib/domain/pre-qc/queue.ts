import { and, eq, isNull, sql } from 'drizzle-orm'
import { isTrue, newId } from '@/db/schema/columns'
import { mediaCategories, preQcProfiles, serviceSettings } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { hasBegun } from '@/lib/checks/announced'
import { carriedTrace } from '@/lib/tracing'
import type { FileRow } from '../files/present'
import type { Tx } from '../kernel/operation'
import { isAnyOf } from '../kernel/rows'
import { dayOf } from '../kernel/shapes'
import { checkKey } from './rules'

/** Files that one job checks together. */
const TOGETHER = 50

/** A result to be checked, with the trace that its file goes on with. */
export type QueuedResult = { result_id: string; traceparent?: string; linked_to?: string }

/** The settings a batch is checked by now, or null where Pre-QC is off for the service or the category. */
export async function profileFor(tx: Tx, batchId: string) {
  const [profile] = await tx.db
    .select({
      id: preQcProfiles.id,
      version: preQcProfiles.version,
      settings: preQcProfiles.settings,
      requiredCopy: batches.requiredCopy,
      isOn: serviceSettings.preQcEnabled,
    })
    .from(batches)
    .innerJoin(mediaCategories, eq(mediaCategories.id, batches.mediaCategoryId))
    .innerJoin(
      preQcProfiles,
      and(
        eq(preQcProfiles.mediaCategoryId, mediaCategories.id),
        eq(preQcProfiles.version, mediaCategories.profileVersion),
      ),
    )
    // One row, or none.
    .leftJoin(serviceSettings, sql`true`)
    .where(eq(batches.id, batchId))
  return profile?.settings.enabled && profile.isOn !== false ? profile : null
}

/**
 * Queues the checks of a submitted batch. A file already checked with the same settings is not checked again, unless an
 * announced rule has begun to hold since, or the batch requires other copy.
 */
export async function queueChecks(tx: Tx, batchId: string) {
  const profile = await profileFor(tx, batchId)
  if (!profile) return
  const current = await tx.db
    .select({
      file: files,
      result: {
        profileId: preQcResults.profileId,
        status: preQcResults.status,
        startedAt: preQcResults.startedAt,
        completedAt: preQcResults.completedAt,
      },
      copyChangedAt: batches.requiredCopyChangedAt,
    })
    .from(files)
    .innerJoin(batches, eq(batches.id, files.batchId))
    .leftJoin(preQcResults, and(eq(preQcResults.fileId, files.id), isTrue(preQcResults.isCurrent)))
    .where(and(eq(files.batchId, batchId), isTrue(files.isCurrent), isNull(files.removedAt)))
    .orderBy(files.id)
  const isOverdue = (completedAt: Date | null) =>
    completedAt !== null && hasBegun(profile.settings.checks, dayOf(completedAt), dayOf(tx.now))
  // One that has not begun will read the copy as it is now.
  const isBefore = (startedAt: Date | null, changedAt: Date | null) =>
    startedAt !== null && changedAt !== null && startedAt <= changedAt
  const due = current.filter(
    ({ result, copyChangedAt }) =>
      result?.profileId !== profile.id ||
      result.status === 'failed' ||
      isOverdue(result.completedAt) ||
      isBefore(result.startedAt, copyChangedAt),
  )
  await queueAttempts(
    tx,
    due.map(({ file }) => file),
    profile.id,
  )
}

/** A new attempt for each file of one batch, with its job (urgent where a person waits for this one file); the attempts before stay readable. */
export async function queueAttempts(
  tx: Tx,
  due: Pick<FileRow, 'id' | 'projectId' | 'batchId'>[],
  profileId: string,
  { isUrgent = false }: { isUrgent?: boolean } = {},
): Promise<string[]> {
  if (due.length === 0) return []
  const fileIds = due.map((file) => file.id)
  await tx.db
    .update(preQcResults)
    .set({ isCurrent: false, updatedAt: tx.now })
    .where(and(isAnyOf(preQcResults.fileId, fileIds), isTrue(preQcResults.isCurrent)))
  const rows = fileIds.map((fileId) => ({ id: newId(tx.now), fileId }))
  // One parameter, however many files a batch has: a statement takes 65,535.
  await tx.db.execute(sql`
    insert into ${preQcResults} (id, project_id, batch_id, file_id, file_sha256, profile_id, attempt, created_at, updated_at)
    select w.id, f.project_id, f.batch_id, f.id, f.sha256, ${profileId}::uuid,
      coalesce((select max(r.attempt) from ${preQcResults} r where r.file_id = f.id), 0) + 1, at, at
    from json_to_recordset(${JSON.stringify(rows)}::json) as w (id uuid, "fileId" uuid)
    join ${files} f on f.id = w."fileId", (select ${tx.now.toISOString()}::timestamptz as at) now`)
  const traces = await tracesOfUploads(tx, due)
  const results = rows.map((row): QueuedResult => ({ result_id: row.id, ...traces.get(row.fileId) }))
  const turn = { isUrgent, ...(due[0] && { inTurnFor: due[0].projectId }) }
  // First, all that take no more than what was measured before.
  if (results.length > 1) await tx.enqueueAll('check_known', inGroups(results), turn)
  const jobs = results.map((payload) => ({ payload, key: checkKey(payload.result_id) }))
  await tx.enqueueAll('check_file', jobs, turn)
  return rows.map((row) => row.id)
}

const inGroups = (results: readonly QueuedResult[]) =>
  Array.from({ length: Math.ceil(results.length / TOGETHER) }, (_, group) => {
    const own = results.slice(group * TOGETHER, (group + 1) * TOGETHER)
    return { payload: { results: own }, key: `check_known:${own[0]?.result_id}` }
  })

/**
 * For each file of one batch the trace that its upload began, so that upload and verdict are one trace, linked to the
 * request that asks for the check. Empty where nothing is traced.
 */
async function tracesOfUploads(tx: Tx, due: Pick<FileRow, 'id' | 'batchId'>[]) {
  const { traceparent: linked_to } = carriedTrace()
  if (!linked_to || !due[0]) return new Map<string | null, { traceparent: string; linked_to: string }>()
  const received = await tx.db
    .select({ fileId: events.subjectId, traceparent: sql<string | null>`${events.data} ->> 'traceparent'` })
    .from(events)
    .where(
      and(
        eq(events.batchId, due[0].batchId),
        eq(events.type, 'file.received'),
        isAnyOf(
          events.subjectId,
          due.map(({ id }) => id),
        ),
      ),
    )
  return new Map(
    received.flatMap(({ fileId, traceparent }) => (traceparent ? [[fileId, { traceparent, linked_to }] as const] : [])),
  )
}
