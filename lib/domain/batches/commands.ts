import { and, count, eq, isNull, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { isTrue, newId } from '@/db/schema/columns'
import { mediaCategories, users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { batches, manifestEntries } from '@/db/schema/projects'
import { type Role, roleOrHigher } from '@/lib/vocabulary'
import { destinationErrors } from '../destinations/find'
import { allowedExtensions } from '../files/media-types'
import { DomainError, type FieldError, invalid, invalidState, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, type Tx } from '../kernel/operation'
import { isAtLeast } from '../kernel/permissions'
import type { Naming } from '../naming/next-version'
import { nameKey } from '../naming/portable-name'
import { parseTemplate } from '../naming/template'
import { inProject, type ProjectRow } from '../projects/find'
import { changePeople } from '../projects/members'
import { assertNotClosed, assertRunning } from '../projects/rules'
import { type BatchInProject, conventionOf, onBatch } from './find'
import { manifestOf } from './manifest'
import { serializeBatch } from './queries'
import { copyErrors, manifestErrors, move, roundAfterSubmit } from './rules'
import { Batch, CompleteReview, CreateBatch, Manifest, ReplaceManifest, UpdateBatch } from './schema'
import { whyNotThrough } from './stage-rules'
import { settleStages, stagesOf } from './stages'

export const createBatch = command({
  name: 'createBatch',
  summary: 'Create a batch in a project',
  permission: 'batches.create',
  resource: inProject,
  input: CreateBatch,
  output: Batch,
  created: (batch) => `/api/projects/${batch.project_id}/batches/${batch.id}`,
  async run(tx, { resource: project, input }) {
    assertNotClosed(project)
    return serializeBatch(tx, await insertBatch(tx, project, input))
  },
})

/** Stores a new batch with its manifest; its id. @throws `validation_failed` */
export async function insertBatch(
  tx: Tx,
  project: ProjectRow,
  input: z.output<typeof CreateBatch>,
  createdAt = tx.now,
): Promise<string> {
  const mediaCategoryId = input.media_category_id ?? project.mediaCategoryId
  const errors = await settingErrors(tx, input)
  if (!mediaCategoryId) {
    errors.push({
      path: 'media_category_id',
      code: 'required',
      message:
        'media_category_id is missing, and the project has no media category to fall back to. Give one here or set it on the project.',
    })
  } else if (!(await exists(tx, mediaCategoryId))) {
    errors.push({
      path: 'media_category_id',
      code: 'unknown_reference',
      message: `There is no media category ${quote(mediaCategoryId)}. Use the id of an existing one.`,
    })
  }
  if (errors.length > 0 || !mediaCategoryId) throw invalid(errors)
  const id = newId(createdAt)
  const [batch] = await tx.db
    .insert(batches)
    .values({
      id,
      projectId: project.id,
      name: input.name,
      mediaCategoryId,
      operatorId: input.operator_id ?? null,
      coordinatorId: input.coordinator_id ?? null,
      namingTemplate: input.naming_template ?? null,
      requiredCopy: input.required_copy ?? [],
      destinations: input.destinations ?? null,
      dueOn: input.due_on ?? null,
      createdAt,
      updatedAt: tx.now,
    })
    .returning()
  if (!batch) throw new Error('The batch was not stored.')
  await changePeople(tx, project.id, { joining: [input.operator_id, input.coordinator_id] })
  await tx.record({
    type: 'batch.created',
    projectId: project.id,
    batchId: id,
    subjectId: id,
    data: { name: input.name, project: project.name },
  })
  if (input.manifest?.length) await storeManifest(tx, { project, batch }, input.manifest, 'manifest')
  return id
}

export const updateBatch = command({
  name: 'updateBatch',
  summary: 'Change a batch: name, operator, coordinator, naming template, required copy, destinations, due date',
  permission: 'batches.update',
  resource: onBatch,
  input: UpdateBatch,
  output: Batch,
  conditional: (tx, { batch }) => serializeBatch(tx, batch.id),
  async run(tx, { resource, input }) {
    await changeBatch(tx, resource, input)
    return serializeBatch(tx, resource.batch.id)
  },
})

/** Changes a batch that is locked. @throws `project_closed`, `validation_failed` */
export async function changeBatch(tx: Tx, { project, batch }: BatchInProject, input: z.output<typeof UpdateBatch>) {
  assertNotClosed(project)
  const errors = await settingErrors(tx, input, batch.destinations ?? [])
  if (errors.length === 0 && input.naming_template !== undefined && input.naming_template !== batch.namingTemplate)
    errors.push(...(await shutOutErrors(tx, { project, batch }, input.naming_template)))
  if (errors.length > 0) throw invalid(errors)
  const next = {
    name: input.name ?? batch.name,
    operatorId: input.operator_id === undefined ? batch.operatorId : input.operator_id,
    coordinatorId: input.coordinator_id === undefined ? batch.coordinatorId : input.coordinator_id,
    namingTemplate: input.naming_template === undefined ? batch.namingTemplate : input.naming_template,
    requiredCopy: input.required_copy ?? batch.requiredCopy,
    destinations: input.destinations === undefined ? batch.destinations : input.destinations,
    dueOn: input.due_on === undefined ? batch.dueOn : input.due_on,
  }
  const changes = changesBetween(batch, next)
  if (changes) {
    await tx.db
      .update(batches)
      .set({
        ...next,
        ...('required_copy' in changes.after && { requiredCopyChangedAt: tx.now }),
        updatedAt: tx.now,
      })
      .where(eq(batches.id, batch.id))
    await changePeople(tx, project.id, {
      joining: [next.operatorId, next.coordinatorId],
      leaving: [batch.operatorId, batch.coordinatorId],
    })
    await tx.record({
      type: 'batch.updated',
      projectId: project.id,
      batchId: batch.id,
      subjectId: batch.id,
      data: { name: next.name, ...changes },
    })
  }
}

export const submitBatch = command({
  name: 'submitBatch',
  summary: 'Submit a batch for review: runs Pre-QC if it is enabled and notifies the operator',
  permission: 'batches.submit',
  resource: onBatch,
  output: Batch,
  async run(tx, { resource: { project, batch } }) {
    assertRunning(project)
    const status = move('submit', batch.status)
    const [held] = await tx.db
      .select({ files: count() })
      .from(files)
      .where(and(eq(files.batchId, batch.id), isTrue(files.isCurrent)))
    if (!held?.files)
      throw new DomainError(
        'batch_empty',
        `The batch ${quote(batch.name)} has no files yet. Upload at least one, then submit.`,
      )
    if (!batch.operatorId) {
      throw new DomainError(
        'operator_not_assigned',
        `No operator is assigned to review the batch ${quote(batch.name)}. Set its operator, then submit.`,
      )
    }
    const round = roundAfterSubmit(batch.status, batch.round)
    await tx.db
      .update(batches)
      .set({ status, round, submittedAt: tx.now, reviewedAt: null, updatedAt: tx.now })
      .where(eq(batches.id, batch.id))
    await tx.record({
      type: 'batch.submitted',
      projectId: project.id,
      batchId: batch.id,
      subjectId: batch.id,
      data: { name: batch.name, project: project.name, round, files: held.files },
    })
    await settleStages(tx, { project, batch })
    return serializeBatch(tx, batch.id)
  },
})

export const completeReview = command({
  name: 'completeReview',
  summary: 'Close the review: approved when every file is, else the batch awaits a resupply of what was rejected',
  permission: 'files.review',
  resource: onBatch,
  input: CompleteReview,
  output: Batch,
  async run(tx, { resource: { project, batch }, input }) {
    assertNotClosed(project)
    // The batch is locked: an upload that began before is either here by now, or finds the review closed.
    const current = await tx.db
      .select({ decision: files.decision, files: count() })
      .from(files)
      .where(and(eq(files.batchId, batch.id), isTrue(files.isCurrent)))
      .groupBy(files.decision)
    const decided = (decision: string) => current.find((row) => row.decision === decision)?.files ?? 0
    const status = move(decided('rejected') > 0 ? 'ask_for_resupply' : 'approve', batch.status)
    const pending = decided('pending')
    if (pending > 0) {
      throw invalidState(
        `${pending} ${pending === 1 ? 'file is' : 'files are'} still without a decision. Approve or reject each, then complete the review.`,
        batch.status,
        ['in_review'],
      )
    }
    const [unsettled] = await tx.db
      .select({ name: files.name })
      .from(files)
      .where(
        and(
          eq(files.batchId, batch.id),
          isTrue(files.isCurrent),
          eq(files.decision, 'approved'),
          ne(files.integrity, 'sound'),
        ),
      )
      .limit(1)
    if (unsettled) {
      throw new DomainError(
        'integrity_unsettled',
        `${quote(unsettled.name)} is approved, but not known to decode to its end. Wait until its check has ended, or reject it.`,
      )
    }
    const held = status === 'approved' ? whyNotThrough(await stagesOf(tx, batch.id)) : null
    if (held) throw invalidState(held, 'waits_for_stage', ['every stage done or skipped'])
    await tx.db.update(batches).set({ status, reviewedAt: tx.now, updatedAt: tx.now }).where(eq(batches.id, batch.id))
    await tx.record({
      type: 'batch.review_completed',
      projectId: project.id,
      batchId: batch.id,
      subjectId: batch.id,
      data: {
        name: batch.name,
        project: project.name,
        outcome: status,
        round: batch.round,
        approved: decided('approved'),
        rejected: decided('rejected'),
        comment: input.comment ?? null,
      },
    })
    return serializeBatch(tx, batch.id)
  },
})

export const cancelBatch = command({
  name: 'cancelBatch',
  summary: 'Cancel a batch that is not approved; it takes nothing more',
  permission: 'batches.cancel',
  resource: onBatch,
  output: Batch,
  async run(tx, { resource: { project, batch } }) {
    assertNotClosed(project)
    const status = move('cancel', batch.status)
    await tx.db.update(batches).set({ status, updatedAt: tx.now }).where(eq(batches.id, batch.id))
    await tx.record({
      type: 'batch.cancelled',
      projectId: project.id,
      batchId: batch.id,
      subjectId: batch.id,
      data: { name: batch.name },
    })
    return serializeBatch(tx, batch.id)
  },
})

export const replaceManifest = command({
  name: 'replaceManifest',
  summary: 'Set what the batch is meant to receive; an empty list lifts the restriction',
  permission: 'batches.update',
  resource: onBatch,
  input: ReplaceManifest,
  output: Manifest,
  conditional: (tx, { batch }) => manifestOf(tx, batch.id),
  async run(tx, { resource: { project, batch }, input }) {
    assertNotClosed(project)
    await storeManifest(tx, { project, batch }, input.files, 'files')
    return manifestOf(tx, batch.id)
  },
})

/** @param field the name under which the request has the files, for the paths of errors */
async function storeManifest(
  tx: Tx,
  { project, batch }: BatchInProject,
  expected: ReplaceManifest['files'],
  field: 'manifest' | 'files',
) {
  const errors = manifestErrors(
    await namingIn(tx, { project, batch }),
    expected,
    await arrivedKeys(tx, batch.id),
    field,
  )
  if (errors.length > 0) throw invalid(errors)
  await tx.db.delete(manifestEntries).where(eq(manifestEntries.batchId, batch.id))
  if (expected.length > 0) {
    await tx.db.insert(manifestEntries).values(
      expected.map((file, position) => ({
        batchId: batch.id,
        position,
        name: file.name,
        nameKey: nameKey(file.name),
        note: file.note || null,
      })),
    )
  }
  // New files are validated by the batch with its manifest; a later time, also within one millisecond, says that it is
  // another one now.
  const later = sql`greatest(${tx.now.toISOString()}::timestamptz, ${batches.updatedAt} + interval '1 millisecond')`
  await tx.db.update(batches).set({ updatedAt: later }).where(eq(batches.id, batch.id))
  await tx.record({
    type: 'manifest.replaced',
    projectId: project.id,
    batchId: batch.id,
    subjectId: batch.id,
    data: { name: batch.name, expected: expected.length },
  })
}

/** What names are read by in the batch, or would be under another template. */
async function namingIn(tx: Tx, where: BatchInProject, template?: string | null): Promise<Naming> {
  const namingTemplate = template === undefined ? where.batch.namingTemplate : template
  return namingFor(tx, where.project, where.batch.mediaCategoryId, namingTemplate)
}

/** What names would be read by in a batch of that category and template. */
export async function namingFor(
  tx: Tx,
  project: ProjectRow,
  mediaCategoryId: string,
  namingTemplate: string | null,
): Promise<Naming> {
  const batch = { mediaCategoryId, namingTemplate }
  const { agencyCode, campaignCodes, mediaTypes, ...convention } = await conventionOf(tx, { project, batch })
  return {
    template: convention.template,
    context: { agencyCode, campaignCodes, extensions: allowedExtensions(mediaTypes) },
  }
}

async function arrivedKeys(tx: Tx, batchId: string) {
  const rows = await tx.db.select({ key: files.nameKey }).from(files).where(eq(files.batchId, batchId))
  return new Set(rows.map(({ key }) => key))
}

/** A template under which files of the manifest could not arrive would shut them out. */
async function shutOutErrors(tx: Tx, where: BatchInProject, template: string | null): Promise<FieldError[]> {
  const entries = await tx.db
    .select({ name: manifestEntries.name })
    .from(manifestEntries)
    .where(eq(manifestEntries.batchId, where.batch.id))
    .orderBy(manifestEntries.position)
  if (entries.length === 0) return []
  const naming = await namingIn(tx, where, template)
  const errors = manifestErrors(naming, entries, await arrivedKeys(tx, where.batch.id))
  const [first] = errors
  if (!first) return []
  const count = errors.length === 1 ? '1 name' : `${errors.length} names`
  const message = `${count} of the manifest could not arrive under this template. ${first.message} Change the template, or the manifest first.`
  return [{ path: 'naming_template', code: 'manifest_mismatch', message }]
}

async function exists(tx: Tx, mediaCategoryId: string) {
  const found = await tx.db
    .select({ id: mediaCategories.id })
    .from(mediaCategories)
    .where(eq(mediaCategories.id, mediaCategoryId))
  return found.length > 0
}

function templateErrors(source: string | null | undefined): FieldError[] {
  if (source == null) return []
  const parsed = parseTemplate(source)
  return parsed.ok
    ? []
    : parsed.problems.map((problem) => ({
        path: 'naming_template',
        code: 'invalid_template',
        message: problem.message,
      }))
}

type BatchSettings = {
  operator_id?: string | null
  coordinator_id?: string | null
  naming_template?: string | null
  required_copy?: string[]
  destinations?: string[] | null
}

/** `named`: the destinations it has, which may stay though they were withdrawn. */
export const settingErrors = async (
  tx: Tx,
  input: BatchSettings,
  named: readonly string[] = [],
): Promise<FieldError[]> => [
  ...(await peopleErrors(tx, input)),
  ...templateErrors(input.naming_template),
  ...copyErrors(input.required_copy),
  ...(await destinationErrors(tx, input.destinations, named)),
]

/** The operator must be at least operator, the coordinator at least coordinator, and both still here. */
async function peopleErrors(
  tx: Tx,
  input: { operator_id?: string | null; coordinator_id?: string | null },
): Promise<FieldError[]> {
  const errors: FieldError[] = []
  for (const [path, least] of [
    ['operator_id', 'operator'],
    ['coordinator_id', 'coordinator'],
  ] as const satisfies [keyof typeof input, Role][]) {
    const id = input[path]
    if (!id) continue
    const [person] = await tx.db
      .select()
      .from(users)
      .where(and(eq(users.id, id), isNull(users.disabledAt)))
    if (!person)
      errors.push({
        path,
        code: 'unknown_reference',
        message: `There is no active user ${quote(id)}. Use the id of an existing one.`,
      })
    else if (!isAtLeast(person.role, least)) {
      errors.push({
        path,
        code: 'role_too_low',
        message: `${quote(person.name)} has the role ${person.role}; the ${least} of a batch needs the role ${roleOrHigher(least)}. Choose another user.`,
      })
    }
  }
  return errors
}
