import { and, desc, eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { batches } from '@/db/schema/projects'
import { carriedTrace } from '@/lib/tracing'
import { type BatchInProject, type BatchRow, conventionOf } from '../batches/find'
import { countingWithin, countStored } from '../directory/storage'
import type { BlobKey } from '../kernel/blob-store'
import { violates } from '../kernel/database-errors'
import { DomainError, quote, type Violation } from '../kernel/errors'
import type { Beside } from '../kernel/events'
import type { NamedFile, Upload, Validation } from '../kernel/intake'
import { type Context, inTransaction, ReadAgain, reading, type Tx } from '../kernel/operation'
import { nameKey } from '../naming/portable-name'
import { heldFor, heldInAll, isResupplied, type Place } from './held'
import { extensionOf } from './media-types'
import type { Inspection } from './port'
import type { FileRow } from './present'
import { linkQuota, quotaOfAgency } from './quotas'
import {
  type BatchRules,
  type CurrentFile,
  type Expectations,
  isAwaited,
  type SameContent,
  seriesKeyAfter,
  supersededBy,
  validateBeforeBytes,
  validateBytes,
  validateContent,
} from './rules'

/** What staff and links have in common when a file comes in: validate it, make its bytes durable, write its row. */

/** Reads what the batch asks of any new file, with all it holds. */
export async function expectationsOf(tx: Tx, where: Place, by: Expectations['by']): Promise<Expectations> {
  const rules = await rulesOf(tx, where, by)
  return { ...rules, ...(await heldInAll(tx, where, rules)) }
}

/** What the batch asks of a new file, whatever it holds. */
export async function rulesOf(tx: Tx, where: Place, by: Expectations['by']): Promise<BatchRules> {
  const { storageQuota, storedBytes, ...convention } = await conventionOf(tx, where)
  return {
    by,
    ...convention,
    quotas: [...quotaOfAgency({ storageQuota, storedBytes }), ...(await linkQuota(tx, where.link))],
    maxFileSize: Math.min(convention.maxFileSize, tx.ports.files.maxFileSize),
  }
}

/** What is found wrong with a file: by its name and size, and by its bytes where they are there. */
type Find = (expectations: Expectations, sameContent: SameContent | null) => Violation[]

/**
 * What is wrong with a file of this name, by what the batch holds that bears on it. Where new versions are awaited and this
 * is none, the whole batch is read: the names that are proposed must be free.
 */
async function violationsOf(
  tx: Tx,
  where: Place,
  rules: BatchRules,
  file: NamedFile & { sha256?: string },
  find: Find,
) {
  const { sameContent, ...held } = await heldFor(tx, where, rules, [file.name], file.sha256)
  const expectations = { ...rules, ...held }
  const violations = find(expectations, sameContent)
  if (!violations.some(({ rule }) => rule === 'resupply')) return { expectations, violations }
  return { expectations, violations: find({ ...rules, ...(await heldInAll(tx, where, rules)) }, sameContent) }
}

/** The file of the project that has this content already. */
export async function findSameContent(
  { db }: Pick<Tx, 'db'>,
  { project, batch }: BatchInProject,
  sha256: string,
): Promise<SameContent | null> {
  const [same] = await db
    .select({ id: files.id, name: files.name, version: files.version, batch: { id: batches.id, name: batches.name } })
    .from(files)
    .innerJoin(batches, eq(batches.id, files.batchId))
    .where(and(eq(files.projectId, project.id), eq(files.sha256, sha256)))
    // A version that came again under another name is there twice; the current one counts.
    .orderBy(desc(files.isCurrent), desc(files.id))
    .limit(1)
  return same ? { ...same, isSameBatch: same.batch.id === batch.id } : null
}

/** What became of a file that passed: what its decoder found, where its bytes are, and the batch as it was before. */
export type Validated = { inspection: Inspection; key: BlobKey; batch?: BatchRow }

/** How files are validated, from every sender. Every refusal is on the audit trail, nothing else is stored of it. */
export const fileValidation: Validation<Place, BatchRules, Validated> = {
  async name(ctx, { resource, expected }, file) {
    const { violations } = await violationsOf(reading(ctx), resource, expected, file, (expectations) =>
      validateBeforeBytes(expectations, file),
    )
    if (violations.length > 0) await reject(ctx, resource, file, violations)
  },

  arriving: ({ ports }, { name, path, upTo, mayChange = false }) =>
    ports.files.followArrival(path, extensionOf(name), upTo, { mayChange }),

  async bytes(ctx, { resource, expected }, upload) {
    const inspection = await inspect(ctx, upload, resource.project.agencyId)
    const { violations } = await violationsOf(reading(ctx), resource, expected, upload, (expectations, same) => [
      ...validateBeforeBytes(expectations, upload),
      ...validateBytes(expectations, { ...upload, inspection }, same),
    ])
    if (violations.length > 0) await reject(ctx, resource, upload, violations)
    const key: BlobKey = `files/${newId()}`
    // The adapter that received them discards the staged bytes, once what becomes of them is written.
    await ctx.ports.blobs.commit(upload.staged, key, { keepStaged: true })
    return { inspection, key, batch: resource.batch }
  },

  async undo(ctx, { resource }, upload, { key }, refusal) {
    await ctx.ports.blobs.delete(key)
    if (refusal.facts.violations) await recordRejection(ctx, resource, upload, refusal.facts.violations)
  },

  async stored(ctx, upload, { inspection }) {
    if (inspection.measures) await ctx.ports.files.keepMeasures(ctx, upload, inspection)
  },
}

/** What decoder and virus scanner say of the bytes. */
async function inspect({ ports }: Context, { name, sha256, staged }: Upload, agencyId: string): Promise<Inspection> {
  const inspection = await ports.files.inspect(staged.path, {
    extension: extensionOf(name),
    sha256,
    agencyId,
    timeoutMs: ports.files.integrityWaitMs,
  })
  const malware = await ports.files.scan?.(staged.path)
  if (malware?.found) {
    inspection.violations.push({
      rule: 'integrity',
      code: 'malware',
      message: `The virus scanner found ${quote(malware.found)} in this file. Clean the machine it comes from, then export it again.`,
    })
  }
  return inspection
}

/** A file as it is stored: where, what it is, and what its event says besides. */
type Storing = {
  resource: Place
  upload: Pick<Upload, 'name' | 'size' | 'sha256'>
  validated: Validated
  data?: Record<string, unknown>
  /** What is written with the event. */
  beside?: (file: FileRow) => Beside[]
}

/**
 * Writes the row of a validated file, inside the transaction that locks the batch. The rules it was validated by are
 * those that held when it was begun; what others changed meanwhile in the batch is read again, where it can matter.
 * @throws `file_rejected` when a twin got in first
 */
export async function storeFile(tx: Tx, to: Storing & { expected: BatchRules; upload: Upload }): Promise<FileRow> {
  const { resource, expected, upload } = to
  if (tx.attempt === 1 && isAsValidated(to)) return storeAsValidated(tx, to)
  if (tx.isShared) throw new ReadAgain()
  const stored = await countStored(tx, resource.project.agencyId, upload.size)
  const ofAgency = expected.quotas.filter(({ of }) => of === 'agency')
  // As they are now, under the locks of the agency's count and of the link.
  const quotas = [
    ...ofAgency.map((quota) => ({ ...quota, used: stored - upload.size })),
    ...(await linkQuota(tx, resource.link)),
  ]
  const { expectations, violations } = await violationsOf(
    tx,
    resource,
    { ...expected, quotas },
    upload,
    (now, same) => [...validateBeforeBytes(now, upload), ...validateContent(now, upload, same)],
  )
  if (violations.length > 0) throw rejected(upload.name, violations)
  const isAnswer = resource.batch.status === 'awaiting_resupply' && isAwaited(expectations, upload.name)
  return insertVersion(tx, { ...to, previous: supersededBy(expectations, upload.name), isAnswer })
}

/**
 * Whether what the file was validated by needs no second look. In an open batch nothing was decided yet, so no file has a
 * next version, and the manifest changes with the batch. What is left (a file of the same name or content that came
 * meanwhile, a quota of the agency that others filled) is noticed by the statement that writes the row.
 */
function isAsValidated({ resource, validated }: Storing): boolean {
  return isStoredTogether(resource) && validated.batch?.updatedAt.getTime() === resource.batch.updatedAt.getTime()
}

/** Whether files for there may be written by one transaction: what else they need is read for each by itself. */
export const isStoredTogether = ({ batch, link }: Place) => batch.status === 'open' && (link?.maxBytes ?? null) === null

/** Writes the row with its event, if the quota and the unique indexes allow it. @throws ReadAgain otherwise */
async function storeAsValidated(tx: Tx, to: Storing & { expected: BatchRules }): Promise<FileRow> {
  const { resource, expected, upload } = to
  const quota = expected.quotas.find(({ of }) => of === 'agency')?.limit ?? null
  const part = tx.db.$with('stored').as(countingWithin(tx, resource.project.agencyId, upload.size, quota))
  const counted: Beside = { part, orElse: () => new ReadAgain() }
  try {
    return await insertVersion(tx, { ...to, counted })
  } catch (error) {
    throw UNIQUE_FILES.some((index) => violates(error, index)) ? new ReadAgain() : error
  }
}

const UNIQUE_CONTENT = 'files_project_id_sha256_key'
const UNIQUE_FILES = [UNIQUE_CONTENT, 'files_current_name_key', 'files_batch_id_name_version_key']

/**
 * Writes the next version of a file that is there, whatever was decided of it: a copy that was repaired here. What holds for
 * any file holds for this one: name, type, size and quotas, and that the project does not hold its bytes elsewhere.
 * @throws `file_rejected`
 */
export async function storeNextVersion(tx: Tx, file: Storing & { previous: FileRow }): Promise<FileRow> {
  const { resource, upload, validated } = file
  const rules = await rulesOf(tx, resource, 'user')
  const { sameContent: same, ...held } = await heldFor(
    tx,
    resource,
    rules,
    [upload.name, file.previous.name],
    upload.sha256,
  )
  const expectations = { ...rules, ...held }
  const previous = expectations.current.find(({ id }) => id === file.previous.id)
  if (!previous) throw new Error(`File ${file.previous.id} is no current file of its batch.`)
  // As if the file before were rejected: then this one is its next version.
  const asNext = { ...expectations, current: expectations.current.filter(({ id }) => id !== previous.id) }
  const isRenamed = nameKey(upload.name) !== previous.nameKey
  const violations = [
    ...validateBeforeBytes(isRenamed ? asNext : { ...asNext, template: null }, upload),
    ...validateBytes(
      asNext,
      { ...upload, inspection: validated.inspection },
      same?.id === previous.id && isRenamed ? null : same,
    ),
  ]
  if (violations.length > 0) throw rejected(upload.name, violations)
  await countStored(tx, resource.project.agencyId, upload.size)
  const isAnswer = resource.batch.status === 'awaiting_resupply' && isAwaited(expectations, upload.name)
  return insertVersion(tx, { ...file, previous, isAnswer })
}

/**
 * The row, its event, and what follows for a batch that waits for a resupply, where the file is an answer to that. `counted`:
 * written before the row, by the same statement.
 */
async function insertVersion(
  tx: Tx,
  to: Storing & { previous?: CurrentFile | undefined; isAnswer?: boolean; counted?: Beside },
): Promise<FileRow> {
  const { resource, previous, upload, validated } = to
  const { project, batch } = resource
  if (previous) await tx.db.update(files).set({ isCurrent: false, updatedAt: tx.now }).where(eq(files.id, previous.id))
  const file: FileRow = {
    id: newId(tx.now),
    projectId: project.id,
    batchId: batch.id,
    name: upload.name,
    nameKey: nameKey(upload.name),
    seriesKey: previous ? seriesKeyAfter(previous, upload.name) : null,
    version: (previous?.version ?? 0) + 1,
    size: upload.size,
    mediaType: validated.inspection.mediaType,
    kind: validated.inspection.kind,
    sha256: upload.sha256,
    media: validated.inspection.media ?? {},
    objectKey: validated.key,
    integrity: validated.inspection.complete ? 'sound' : 'pending',
    previews: null,
    perceptualHash: null,
    decision: 'pending',
    decisionComment: null,
    decisionReason: null,
    decidedBy: null,
    decidedAt: null,
    supersedesId: previous?.id ?? null,
    isCurrent: true,
    removedAt: null,
    previewsRemovedAt: null,
    removal: null,
    ...sourceOf(tx),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await recordReceived(tx, file, to)
  if (to.isAnswer && (await isResupplied(tx, batch.id))) {
    await tx.record({
      type: 'batch.resupplied',
      projectId: project.id,
      batchId: batch.id,
      subjectId: batch.id,
      data: { name: batch.name, project: project.name, round: batch.round, next_round: batch.round + 1 },
    })
  }
  return file
}

/** Who sent a file. */
function sourceOf({ actor }: Tx): Pick<FileRow, 'sourceType' | 'sourceUserId' | 'sourceLinkId'> {
  if (actor.type === 'upload_link') return { sourceType: 'upload_link', sourceUserId: null, sourceLinkId: actor.id }
  if (actor.type === 'user') return { sourceType: 'user', sourceUserId: actor.id, sourceLinkId: null }
  throw new Error('A file comes from a user or through a link.')
}

/**
 * The row of the file and its event, in one statement.
 * @throws `file_rejected` for bytes that another upload brought at the same moment
 */
async function recordReceived(
  tx: Tx,
  file: FileRow,
  { resource: { batch }, data, counted, beside }: Storing & { counted?: Beside },
) {
  const { id, projectId, name, version, size, sha256, integrity } = file
  const part = tx.db.$with('file').as(tx.db.insert(files).values(file).returning({ id: files.id }))
  try {
    await tx.record(
      {
        type: 'file.received',
        projectId,
        batchId: batch.id,
        subjectId: id,
        inCharge: batch,
        kind: file.kind,
        data: {
          file: name,
          name: batch.name,
          version,
          size,
          sha256,
          integrity,
          ...data,
          // What happens to the file after its submission goes on with the trace of its upload (queueAttempts).
          ...carriedTrace(),
        },
      },
      // The agency's count first, as wherever files are stored: the order in which all lock.
      [...(counted ? [counted] : []), { part }, ...(beside?.(file) ?? [])],
    )
  } catch (error) {
    // Two uploads of one content at once: the unique index lets one in, and this one is refused.
    if (counted || !violates(error, UNIQUE_CONTENT)) throw error
    throw rejected(name, [
      {
        rule: 'duplicate',
        code: 'duplicate_content',
        message: 'The same bytes arrived at the same moment under another upload. Leave this one out.',
      },
    ])
  }
}

/** @throws `file_rejected`, once the attempt is on the audit trail */
async function reject(ctx: Context, where: BatchInProject, file: NamedFile, violations: Violation[]): Promise<never> {
  await recordRejection(ctx, where, file, violations)
  throw rejected(file.name, violations)
}

/** The attempt on the audit trail; the file itself is nowhere. */
async function recordRejection(
  ctx: Context,
  { project, batch }: BatchInProject,
  upload: NamedFile & { sha256?: string },
  violations: Violation[],
) {
  await inTransaction(ctx, (tx) =>
    tx.record({
      type: 'upload.rejected',
      projectId: project.id,
      batchId: batch.id,
      data: {
        file: upload.name.slice(0, 500).replaceAll('\u0000', '�'),
        name: batch.name,
        size: upload.size ?? null,
        sha256: upload.sha256 ?? null,
        violations: violations.map(({ rule, code, message }) => ({ rule, code, message })),
      },
    }),
  )
}

/** The refusal of a file, with all that is wrong with it. */
export function rejected(name: string, violations: Violation[]) {
  const reasons =
    violations.length === 1
      ? (violations[0]?.message ?? '')
      : `${violations.length} things need fixing: ${violations.map((violation) => violation.message).join(' ')}`
  return new DomainError('file_rejected', `${quote(name)} was not taken. ${reasons}`, { violations })
}
