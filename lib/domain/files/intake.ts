import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { batches, manifestEntries } from '@/db/schema/projects'
import { knownFactsOf } from '@/lib/checks/known-facts'
import type { MediaFacts } from '@/lib/media/facts'
import { type BatchInProject, conventionOf } from '../batches/find'
import { namesOfVersions } from '../batches/rules'
import type { BlobKey } from '../kernel/blob-store'
import { violates } from '../kernel/database-errors'
import { DomainError, quote, type Violation } from '../kernel/errors'
import { type Context, inTransaction, reading, type Tx } from '../kernel/operation'
import type { Inspection } from '../kernel/ports'
import { judgeName } from '../naming/judge-name'
import type { Naming } from '../naming/next-version'
import { nameKey } from '../naming/portable-name'
import { extensionOf } from './media-types'
import {
  CHECKS_OF_NAMES,
  completesResupply,
  type Expectations,
  type Held,
  judgeBeforeBytes,
  judgeBytes,
  judgeContent,
  NO_CHANGES,
  nameChanges,
  namingOf,
  type SameContent,
  seriesKeyAfter,
  supersededBy,
} from './rules'
import type { Upload } from './schema'

/** What staff and links have in common when a file comes in: judge it, keep its bytes, write its row. */

/** Reads what the batch asks of a new file. */
export async function expectationsOf(
  tx: Tx,
  { project, batch }: BatchInProject,
  by: Expectations['by'],
): Promise<Expectations> {
  const convention = await conventionOf(tx, { project, batch })
  const manifest = await tx.db
    .select({ key: manifestEntries.nameKey })
    .from(manifestEntries)
    .where(eq(manifestEntries.batchId, batch.id))
  const expectations: Expectations = {
    by,
    batchStatus: batch.status,
    ...convention,
    maxFileSize: Math.min(convention.maxFileSize, tx.outside.maxFileSize),
    held: [],
    manifest: new Set(manifest.map(({ key }) => key)),
  }
  return { ...expectations, held: await heldBy(tx, batch.id, namingOf(expectations)) }
}

/** The current files of a batch with the names of their earlier versions, and what may be changed of those rejected. */
async function heldBy(tx: Tx, batchId: string, naming: Naming): Promise<Held[]> {
  const rows = await tx.db
    .select({
      id: files.id,
      name: files.name,
      nameKey: files.nameKey,
      version: files.version,
      decision: files.decision,
      reason: files.decisionReason,
      sha256: files.sha256,
      supersedesId: files.supersedesId,
      isCurrent: files.isCurrent,
    })
    .from(files)
    .where(eq(files.batchId, batchId))
    .orderBy(files.nameKey)
  const current = namesOfVersions(rows)
  const rejectedIds = current.flatMap(({ file: { id, decision } }) => (decision === 'rejected' ? [id] : []))
  const found = await findingsOnNames(tx, rejectedIds)
  return current.map(({ file: { id, name, nameKey, version, decision, reason, sha256 }, keys }): Held => {
    const { checks = [], media = null } = found.get(id) ?? {}
    const values = checks.length > 0 ? judgeName({ ...naming, name }).values : {}
    const changes =
      decision === 'rejected' ? nameChanges(reason, checks, values, media ? knownFactsOf(media) : {}) : NO_CHANGES
    return { id, name, nameKey, version, decision, sha256, formerKeys: keys.slice(1), changes }
  })
}

/** What the checks found in these files that bears on their names, with what was measured. */
async function findingsOnNames(tx: Tx, fileIds: string[]) {
  if (fileIds.length === 0) return new Map<string, { checks: string[]; media: MediaFacts }>()
  const checkId = sql<string>`c ->> 'check_id'`
  const rows = await tx.db
    .select({ fileId: files.id, media: files.media, checkId })
    .from(preQcResults)
    .innerJoin(files, eq(files.id, preQcResults.fileId))
    .innerJoin(sql`json_array_elements(${preQcResults.checks}) c`, sql`c ->> 'status' in ('fail', 'warning')`)
    .where(
      and(
        inArray(preQcResults.fileId, fileIds),
        eq(preQcResults.isCurrent, true),
        inArray(checkId, [...CHECKS_OF_NAMES]),
        sql`not exists (select from pre_qc_waivers w where w.result_id = ${preQcResults.id} and w.check_id = c ->> 'check_id')`,
      ),
    )
  const byFile = new Map<string, { checks: string[]; media: MediaFacts }>()
  for (const row of rows) {
    const known = byFile.get(row.fileId)
    if (known) known.checks.push(row.checkId)
    else byFile.set(row.fileId, { checks: [row.checkId], media: row.media as MediaFacts })
  }
  return byFile
}

/** The file of the project that has this content already. */
export async function findSameContent(
  tx: Tx,
  { project, batch }: BatchInProject,
  sha256: string,
): Promise<SameContent | null> {
  const [same] = await tx.db
    .select({ id: files.id, name: files.name, version: files.version, batch: { id: batches.id, name: batches.name } })
    .from(files)
    .innerJoin(batches, eq(batches.id, files.batchId))
    .where(and(eq(files.projectId, project.id), eq(files.sha256, sha256)))
    // A version that came again under another name is there twice; the current one counts.
    .orderBy(desc(files.isCurrent), desc(files.id))
    .limit(1)
  return same ? { ...same, isSameBatch: same.batch.id === batch.id } : null
}

export type Judged = { inspection: Inspection; key: BlobKey }

/**
 * Judges the staged file by everything there is to say of it, and makes its bytes durable if nothing speaks against it.
 * @throws `file_rejected` with every violation; the attempt is on the audit trail, nothing else is kept
 */
export async function judgeAndKeep(
  ctx: Context,
  where: BatchInProject,
  by: Expectations['by'],
  upload: Upload,
): Promise<Judged> {
  const tx = reading(ctx)
  const expectations = await expectationsOf(tx, where, by)
  const inspection = await ctx.outside.inspect(upload.staged.path, {
    extension: extensionOf(upload.name),
    timeoutMs: ctx.outside.integrityWaitMs,
  })
  const malware = await ctx.outside.scan?.(upload.staged.path)
  if (malware?.found) {
    inspection.violations.push({
      rule: 'integrity',
      code: 'malware',
      message: `The virus scanner found ${quote(malware.found)} in this file. Clean the machine it comes from, then export it again.`,
    })
  }
  const violations = [
    ...judgeBeforeBytes(expectations, upload),
    ...judgeBytes(expectations, { ...upload, inspection }, await findSameContent(tx, where, upload.sha256)),
  ]
  if (violations.length > 0) {
    await noteRejection(ctx, where, upload, violations)
    throw rejected(upload.name, violations)
  }
  const key: BlobKey = `files/${newId()}`
  // Whoever received them discards the staged bytes, once what becomes of them is written.
  await ctx.outside.blobs.commit(upload.staged, key, { keepStaged: true })
  return { inspection, key }
}

/**
 * Writes the row of a judged file, inside the transaction that holds the batch.
 * @throws `file_rejected` when a twin got in first
 */
export async function writeFile(
  tx: Tx,
  where: BatchInProject,
  by: Expectations['by'],
  upload: Upload,
  judged: Judged,
  data: Record<string, unknown> = {},
) {
  const { project, batch } = where
  const expectations = await expectationsOf(tx, where, by)
  const late = [
    ...judgeBeforeBytes(expectations, upload),
    ...judgeContent(expectations, upload, await findSameContent(tx, where, upload.sha256)),
  ]
  if (late.length > 0) throw rejected(upload.name, late)
  const previous = supersededBy(expectations, upload.name)
  if (previous) await tx.db.update(files).set({ isCurrent: false, updatedAt: tx.now }).where(eq(files.id, previous.id))
  const source =
    tx.actor.type === 'upload_link'
      ? { sourceType: 'upload_link' as const, sourceLinkId: tx.actor.id }
      : tx.actor.type === 'user'
        ? { sourceType: 'user' as const, sourceUserId: tx.actor.id }
        : null
  if (!source) throw new Error('A file comes from a user or through a link.')
  const id = newId(tx.now)
  try {
    await tx.db.insert(files).values({
      id,
      projectId: project.id,
      batchId: batch.id,
      name: upload.name,
      nameKey: nameKey(upload.name),
      version: (previous?.version ?? 0) + 1,
      size: upload.size,
      mediaType: judged.inspection.mediaType,
      kind: judged.inspection.kind,
      sha256: upload.sha256,
      media: judged.inspection.media ?? {},
      objectKey: judged.key,
      integrity: judged.inspection.complete ? 'sound' : 'pending',
      supersedesId: previous?.id ?? null,
      seriesKey: previous ? seriesKeyAfter(previous, upload.name) : null,
      ...source,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
  } catch (error) {
    // Two uploads of one content at once: the unique index lets one in, and this one is told so.
    if (violates(error, 'files_project_id_sha256_key')) {
      throw rejected(upload.name, [
        {
          rule: 'duplicate',
          code: 'duplicate_content',
          message: 'The same bytes arrived at the same moment under another upload. Leave this one out.',
        },
      ])
    }
    throw error
  }
  await tx.record({
    type: 'file.received',
    projectId: project.id,
    batchId: batch.id,
    subjectId: id,
    data: {
      file: upload.name,
      name: batch.name,
      version: (previous?.version ?? 0) + 1,
      size: upload.size,
      sha256: upload.sha256,
      integrity: judged.inspection.complete ? 'sound' : 'pending',
      ...data,
    },
  })
  if (batch.status === 'awaiting_resupply' && completesResupply(expectations, upload.name)) {
    await tx.record({
      type: 'batch.resupplied',
      projectId: project.id,
      batchId: batch.id,
      subjectId: batch.id,
      data: { name: batch.name, project: project.name, round: batch.round, next_round: batch.round + 1 },
    })
  }
  return id
}

/** Takes back what `judgeAndKeep` kept, when the rules refuse after all. */
export async function discardKept(
  ctx: Context,
  where: BatchInProject,
  upload: Upload,
  judged: Judged,
  refusal: DomainError,
) {
  await ctx.outside.blobs.delete(judged.key)
  if (refusal.facts.violations) await noteRejection(ctx, where, upload, refusal.facts.violations)
}

/** The attempt on the audit trail; the file itself is nowhere. */
export async function noteRejection(
  ctx: Context,
  { project, batch }: BatchInProject,
  upload: { name: string; size?: number; sha256?: string },
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

export function rejected(name: string, violations: Violation[]) {
  const reasons =
    violations.length === 1
      ? (violations[0]?.message ?? '')
      : `${violations.length} things need mending: ${violations.map((violation) => violation.message).join(' ')}`
  return new DomainError('file_rejected', `${quote(name)} was not taken. ${reasons}`, { violations })
}
