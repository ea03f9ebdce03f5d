import { and, arrayOverlaps, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { fileComments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { batchCounts, batches } from '@/db/schema/projects'
import { guestDecisions, reviewLinks } from '@/db/schema/review-links'
import { stageDecisions } from '@/db/schema/review-stages'
import { type BatchInProject, type BatchRow, findBatch } from '../batches/find'
import { invalidField, invalidState, notFound, quote } from '../kernel/errors'
import { command, type Finder, type Tx } from '../kernel/operation'
import { assertFound } from '../kernel/rows'
import { findProject, type ProjectRow } from '../projects/find'
import { assertNotClosed } from '../projects/rules'
import { ofProject } from './find'
import { expectationsOf } from './intake'
import type { FileRow } from './present'
import { validateBeforeBytes, validateBytes, whyNotMovable } from './rules'
import { MovedFiles, MoveFiles } from './schema'

/** The batch as it is read first: both batches of a move are locked together, in one order for everybody. */
const onBatchToLock: Finder<'project_id' | 'batch_id', BatchInProject> = {
  params: ['project_id', 'batch_id'],
  find: (tx, { project_id, batch_id }) => findBatch(tx, project_id, batch_id, false),
}

export const moveFiles = command({
  name: 'moveFiles',
  summary:
    'Move files from an open batch to another open one of the project; what that one would not take, or what was decided or checked already, stays, each with the reason',
  permission: 'files.move',
  resource: onBatchToLock,
  input: MoveFiles,
  output: MovedFiles,
  async run(tx, { resource, input }) {
    const project = await findProject(tx, resource.project.id, 'share')
    assertNotClosed(project)
    const [from, to] = await lockBoth(tx, project, resource.batch.id, input.batch_id)
    const outcome: z.output<typeof MovedFiles> = { batch: { id: to.id, name: to.name }, moved: [], left: [] }
    const found = await lockFiles(tx, project.id, input.file_ids)
    const elsewhere = await namesOfBatches(
      tx,
      found.map(({ batchId }) => batchId),
    )
    const bound = await boundTo(
      tx,
      found.map(({ id }) => id),
    )
    const validate = await validatorOf(tx, { project, batch: to })
    const moving: FileRow[] = []
    for (const row of found) {
      const file = { id: row.id, name: row.name }
      const reason =
        row.batchId === to.id
          ? null
          : row.batchId !== from.id
            ? `It is in the batch ${quote(elsewhere.get(row.batchId))} by now.`
            : (whyNotMovable(row) ?? bound.get(row.id) ?? validate(row))
      if (reason) outcome.left.push({ file, reason })
      else {
        outcome.moved.push(file)
        // Moved before, by a request like this one, it is where it should be.
        if (row.batchId !== to.id) moving.push(row)
      }
    }
    if (moving.length > 0) await move(tx, moving, from, to)
    return outcome
  },
})

/** @throws `validation_failed`, `invalid_state` */
async function lockBoth(tx: Tx, project: ProjectRow, fromId: string, toId: string): Promise<[BatchRow, BatchRow]> {
  if (fromId === toId)
    throw invalidField('batch_id', 'same_batch', 'The files are in this batch already. Name another one.')
  const held = await tx.db
    .select()
    .from(batches)
    .where(and(eq(batches.projectId, project.id), inArray(batches.id, [fromId, toId])))
    .orderBy(batches.id)
    .for('no key update')
  const from = held.find(({ id }) => id === fromId)
  const to = held.find(({ id }) => id === toId)
  if (!from) throw notFound('batch', fromId)
  if (!to) {
    const message = `There is no batch ${quote(toId)} in this project. Files are moved within their project.`
    throw invalidField('batch_id', 'unknown_reference', message)
  }
  for (const batch of [from, to]) {
    if (batch.status !== 'open') {
      throw invalidState(
        `Files are moved between open batches; ${quote(batch.name)} is ${batch.status}.`,
        batch.status,
        ['open'],
      )
    }
  }
  return [from, to]
}

/** @throws `not_found` for a file that is not of the project */
async function lockFiles(tx: Tx, projectId: string, ids: readonly string[]): Promise<FileRow[]> {
  const found = await tx.db.select().from(files).where(ofProject(projectId, ids)).orderBy(files.id).for('update')
  assertFound('file', ids, found)
  return found
}

async function namesOfBatches(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.db
    .select({ id: batches.id, name: batches.name })
    .from(batches)
    .where(inArray(batches.id, [...ids]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What was said of these files in their batch and would lose its place there: by file, why it stays. */
async function boundTo(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const of = [...ids]
  const checked = await tx.db
    .select({ id: preQcResults.fileId })
    .from(preQcResults)
    .where(inArray(preQcResults.fileId, of))
  const decided = await tx.db
    .select({ id: stageDecisions.fileId })
    .from(stageDecisions)
    .where(inArray(stageDecisions.fileId, of))
  const byGuests = await tx.db
    .select({ id: guestDecisions.fileId })
    .from(guestDecisions)
    .where(inArray(guestDecisions.fileId, of))
  const said = await tx.db
    .select({ id: fileComments.fileId })
    .from(fileComments)
    .where(and(inArray(fileComments.fileId, of), isNotNull(fileComments.reviewLinkId)))
  const links = await tx.db
    .select({ ids: reviewLinks.fileIds })
    .from(reviewLinks)
    .where(
      and(
        arrayOverlaps(reviewLinks.fileIds, of),
        isNull(reviewLinks.deactivatedAt),
        or(isNull(reviewLinks.expiresAt), sql`${reviewLinks.expiresAt} > ${tx.now.toISOString()}`),
      ),
    )
  const why = new Map<string, string>()
  for (const { ids } of links) for (const id of ids ?? []) why.set(id, 'A review link that is active names it.')
  for (const { id } of said) why.set(id, 'It was commented through a review link of its batch.')
  for (const { id } of byGuests) why.set(id, 'It was decided through a review link of its batch.')
  for (const { id } of decided) why.set(id, 'It was decided at a review stage of its batch.')
  for (const { id } of checked) why.set(id, 'It has been checked with its batch.')
  return why
}

/** Why the batch would not take a file, by what it asks of any new one. The files change places within their agency's quota. */
async function validatorOf(tx: Tx, to: BatchInProject): Promise<(file: FileRow) => string | null> {
  const expectations = { ...(await expectationsOf(tx, to, 'user')), quotas: [] }
  return ({ name, size, sha256, mediaType }) => {
    const violations = [
      ...validateBeforeBytes(expectations, { name, size }),
      ...validateBytes(expectations, { name, sha256, inspection: { mediaType, violations: [] } }, null),
    ]
    const said = new Set(violations.map(({ message }) => message))
    return said.size === 0 ? null : [...said].join(' ')
  }
}

async function move(tx: Tx, moving: readonly FileRow[], from: BatchRow, to: BatchRow) {
  const ids = moving.map(({ id }) => id)
  await tx.db.update(files).set({ batchId: to.id, updatedAt: tx.now }).where(inArray(files.id, ids))
  await tx.db.update(fileComments).set({ batchId: to.id }).where(inArray(fileComments.fileId, ids))
  // What a file that changes counts for is moved by a trigger; who sent it is counted as files come and go only.
  const byUsers = moving.filter(({ sourceType }) => sourceType === 'user').length
  const byLinks = moving.length - byUsers
  for (const [batch, sign] of [
    [from, -1],
    [to, 1],
  ] as const) {
    await tx.db
      .update(batchCounts)
      .set({
        storedByUsers: sql`${batchCounts.storedByUsers} + ${sign * byUsers}`,
        storedByLinks: sql`${batchCounts.storedByLinks} + ${sign * byLinks}`,
      })
      .where(eq(batchCounts.batchId, batch.id))
  }
  for (const { id, name, sha256, projectId } of moving) {
    const fact = { type: 'file.moved', projectId, subjectId: id } as const
    const data = { file: name, sha256 }
    await tx.record({ ...fact, batchId: from.id, data: { ...data, name: from.name, to: to.name, to_id: to.id } })
    await tx.record({ ...fact, batchId: to.id, data: { ...data, name: to.name, from: from.name, from_id: from.id } })
  }
}
