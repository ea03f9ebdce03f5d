import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { repairs } from '@/db/schema/repairs'
import { describeSteps } from '@/lib/repairs/steps'
import { assertTakesFiles } from '../batches/rules'
import { type FileInBatch, onFile } from '../files/find'
import type { Place } from '../files/held'
import { storeNextVersion, type Validated } from '../files/intake'
import { extensionOf } from '../files/media-types'
import type { Expectations } from '../files/rules'
import type { BlobKey } from '../kernel/blob-store'
import { violates } from '../kernel/database-errors'
import { invalidState, notFound, quote } from '../kernel/errors'
import { type Context, command, type Finder, query, reading, type Tx } from '../kernel/operation'
import { profileFor, queueAttempts } from '../pre-qc/queue'
import { assertNotClosed } from '../projects/rules'
import { assertBytes, assertPreviews } from '../retention/rules'
import { copyImageKey, newestRepair, proposedRepair, type RepairRow, serializeRepair } from './find'
import { planFor } from './plan'
import { FileRepair, ProposeRepair, RefuseRepair, Repair } from './schema'

/** Larger files are repaired where they were made. Bytes. */
const LARGEST = 2 * 1024 ** 3

export const getRepair = query({
  name: 'getRepair',
  summary: 'What could be repaired of a file by a machine, and its newest repaired copy with its checks',
  permission: 'projects.read',
  resource: onFile,
  output: FileRepair,
  async run(tx, { resource: { file } }): Promise<FileRepair> {
    const row = await newestRepair(tx, file.id)
    const planned = file.isCurrent && !file.removedAt ? await planFor(tx, file, null) : null
    return {
      repair: row && (await serializeRepair(tx, row)),
      possible: planned && {
        changes: planned.plan.steps.length > 0 ? describeSteps(planned.plan.steps) : null,
        fixes: planned.plan.fixes.map((check_id) => ({ check_id, label: labelOf(planned.result, check_id) })),
        left: planned.plan.left,
      },
    }
  },
})

const labelOf = ({ checks }: { checks: Record<string, unknown>[] }, id: string) =>
  String(checks.find(({ check_id }) => check_id === id)?.label ?? id)

export const proposeRepair = command({
  name: 'proposeRepair',
  summary: 'Make a repaired copy of a file, check it like the file, and propose it as the next version',
  permission: 'repairs.propose',
  resource: onFile,
  input: ProposeRepair,
  output: Repair,
  created: (_repair, { project_id, batch_id, file_id }) =>
    `/api/projects/${project_id}/batches/${batch_id}/files/${file_id}/repair`,
  async run(tx, { resource, input }) {
    const { project, batch, file } = resource
    assertMayReplace(resource)
    if (file.size > LARGEST)
      throw invalidState(`${quote(file.name)} is larger than 2 GiB, and is not repaired here.`, 'too_large', ['2 GiB'])
    const destinationId = input.destination_id ?? null
    const planned = await planFor(tx, file, destinationId)
    if (!planned) {
      const why = `${quote(file.name)} has not been checked yet. It is repaired by what its checks find.`
      throw invalidState(why, 'unchecked', ['checked'])
    }
    const { plan, result } = planned
    if (plan.steps.length === 0) {
      const [first] = plan.left
      const why = first ? `${first.label}: ${first.why}` : 'Nothing that was found can be repaired by a machine.'
      throw invalidState(why, 'not_repairable', ['repairable'])
    }
    const renamed = plan.steps.find((step) => step.do === 'rename')
    const row = {
      id: newId(tx.now),
      projectId: project.id,
      batchId: batch.id,
      fileId: file.id,
      resultId: result.id,
      destinationId,
      steps: plan.steps,
      fixes: plan.fixes,
      name: renamed ? renamed.name : file.name,
      requestedBy: tx.actor.type === 'user' ? tx.actor.id : null,
      createdAt: tx.now,
      updatedAt: tx.now,
    }
    const [made] = await tx.db
      .insert(repairs)
      .values(row)
      .returning()
      .catch((error: unknown) => {
        if (!violates(error, 'repairs_open_key')) throw error
        throw invalidState(
          `A repaired copy of ${quote(file.name)} is there already, or being made. Decide on that one first.`,
          'proposed',
          ['none'],
        )
      })
    if (!made) throw new Error('A repair was not written.')
    await tx.enqueue(
      'repair_file',
      { repair_id: made.id },
      { key: `repair_file:${made.id}`, isUrgent: true, inTurnFor: project.id },
    )
    await tx.record({
      type: 'repair.requested',
      projectId: project.id,
      batchId: batch.id,
      subjectId: file.id,
      data: { file: file.name, name: batch.name, changes: describeSteps(plan.steps), destination_id: destinationId },
    })
    return serializeRepair(tx, made)
  },
})

/** Whether a next version may take the place of the file now. @throws `invalid_state` */
function assertMayReplace({ project, batch, file }: FileInBatch, source: Expectations['by'] = 'user') {
  assertNotClosed(project)
  assertTakesFiles(batch.status, source)
  assertBytes(file)
  if (!file.isCurrent)
    throw invalidState(`${quote(file.name)} was replaced by a newer version.`, 'superseded', ['current'])
  if (file.decision === 'approved')
    throw invalidState(`${quote(file.name)} is approved and locked.`, 'approved', ['pending', 'rejected'])
  if (file.integrity === 'quarantined')
    throw invalidState(`${quote(file.name)} is in quarantine: what is damaged is exported again.`, 'quarantined', [
      'sound',
    ])
}

export type PreparedRepair = { repair: RepairRow; validated: Validated }

export const acceptRepair = command({
  name: 'acceptRepair',
  summary: 'Take the repaired copy: it becomes the next version of the file, by the rules for every file',
  permission: 'repairs.decide',
  resource: onFile,
  output: Repair,
  prepare: (ctx, { resource }) => prepareAccepted(ctx, resource, 'user'),
  run: async (tx, { resource, prepared }) => serializeRepair(tx, await storeAccepted(tx, resource, prepared, 'user')),
})

/** Before the transaction: the copy that waits, its bytes copied and validated. @throws `invalid_state` */
export async function prepareAccepted(
  ctx: Context,
  resource: FileInBatch,
  source: Expectations['by'],
): Promise<PreparedRepair> {
  assertMayReplace(resource, source)
  const repair = await proposedRepair(reading(ctx), resource.file.id, false)
  if (!repair) throw nothingProposed(resource)
  return { repair, validated: await copied(ctx, repair) }
}

/**
 * The copy as the next version of its file. Its batch is held.
 * @throws `invalid_state` where another person decided meanwhile; `file_rejected`
 */
export async function storeAccepted(
  tx: Tx,
  resource: FileInBatch & Place,
  { repair: seen, validated }: PreparedRepair,
  source: Expectations['by'],
): Promise<RepairRow> {
  const { project, batch, file } = resource
  assertMayReplace(resource, source)
  const repair = await proposedRepair(tx, file.id, true)
  if (repair?.id !== seen.id) throw nothingProposed(resource)
  const { name, size, sha256 } = repair
  if (size === null || sha256 === null) throw new Error(`Repair ${repair.id} has no bytes.`)
  const version = await storeNextVersion(tx, {
    resource,
    previous: file,
    upload: { name, size, sha256 },
    validated,
    data: { repair_of: file.id, changes: repair.sentence },
  })
  const row = await decide(tx, repair, { status: 'accepted', acceptedId: version.id })
  await tx.record({
    type: 'repair.accepted',
    projectId: project.id,
    batchId: batch.id,
    subjectId: file.id,
    data: { file: file.name, name: batch.name, changes: repair.sentence, sha256, became: version.id },
  })
  // What is in review is checked at once, everything else when its batch is submitted.
  const profile = batch.status === 'in_review' ? await profileFor(tx, batch.id) : null
  if (profile) await queueAttempts(tx, [version], profile.id, { isUrgent: true })
  return row
}

const nothingProposed = ({ file }: FileInBatch) =>
  invalidState(`No repaired copy of ${quote(file.name)} waits for a decision.`, 'none', ['proposed'])

/** The bytes of the copy as those of a file of their own, read once more to their end. */
async function copied({ ports }: Context, repair: RepairRow): Promise<Validated> {
  const staged = await ports.blobs.stage()
  try {
    const hash = createHash('sha256')
    await ports.blobs.localPath(repair.objectKey as BlobKey, async (path) =>
      pipeline(
        createReadStream(path),
        async function* (source) {
          for await (const piece of source) {
            hash.update(piece)
            yield piece
          }
        },
        await staged.writable(),
      ),
    )
    if (hash.digest('hex') !== repair.sha256)
      throw new Error(`The bytes of repair ${repair.id} are not those that were checked.`)
    const inspection = await ports.files.inspect(staged.path, {
      extension: extensionOf(repair.name),
      timeoutMs: ports.files.integrityWaitMs,
    })
    const key: BlobKey = `files/${newId()}`
    await ports.blobs.commit(staged, key)
    return { inspection, key }
  } finally {
    await staged.discard()
  }
}

export const refuseRepair = command({
  name: 'refuseRepair',
  summary: 'Refuse the repaired copy: nothing of it is left',
  permission: 'repairs.decide',
  resource: onFile,
  input: RefuseRepair,
  output: Repair,
  async run(tx, { resource, input }) {
    const { project, batch, file } = resource
    assertNotClosed(project)
    const repair = await proposedRepair(tx, file.id, true)
    if (!repair) throw nothingProposed(resource)
    const row = await decide(tx, repair, { status: 'refused', comment: input.comment ?? null })
    await tx.record({
      type: 'repair.refused',
      projectId: project.id,
      batchId: batch.id,
      subjectId: file.id,
      data: { file: file.name, name: batch.name, changes: repair.sentence, comment: input.comment ?? null },
    })
    return serializeRepair(tx, row)
  },
})

/** Writes the decision; the copy itself goes. */
async function decide(tx: Tx, repair: RepairRow, decision: Partial<RepairRow>): Promise<RepairRow> {
  const [row] = await tx.db
    .update(repairs)
    .set({
      ...decision,
      objectKey: null,
      decidedBy: tx.actor.type === 'user' ? tx.actor.id : null,
      decidedAt: tx.now,
      updatedAt: tx.now,
    })
    .where(and(eq(repairs.id, repair.id), inArray(repairs.status, ['proposed'])))
    .returning()
  if (!row) throw new Error(`Repair ${repair.id} was decided while it was held.`)
  await tx.enqueue('remove_copies', { keys: [copyImageKey(repair), ...(repair.objectKey ? [repair.objectKey] : [])] })
  return row
}

/** The copy that waits for a decision, for who may see the file. */
const onProposed: Finder<'project_id' | 'batch_id' | 'file_id', RepairRow> = {
  params: onFile.params,
  async find(tx, params, lock) {
    const { file } = await onFile.find(tx, params, lock)
    const repair = await proposedRepair(tx, file.id, false)
    if (!repair?.objectKey) throw notFound('repaired copy')
    assertPreviews(file)
    return repair
  },
}

export const openRepair = query({
  name: 'openRepair',
  summary: 'The bytes of the repaired copy that waits for a decision',
  permission: 'projects.read',
  resource: onProposed,
  run: async (_tx, { resource }) => resource,
})
