import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { preQcResults } from '@/db/schema/pre-qc'
import { repairs } from '@/db/schema/repairs'
import { evaluateOn } from '@/lib/checks/announced'
import { isFailure } from '@/lib/checks/check'
import type { CheckResult } from '@/lib/checks/engine'
import { evaluateDestinations } from '@/lib/destinations/evaluate'
import type { Specification } from '@/lib/destinations/specification'
import { log } from '@/lib/log'
import { findDestinations } from '../destinations/find'
import { storeImage } from '../files/previews'
import { type BlobKey, StorageUnavailable } from '../kernel/blob-store'
import { isUnavailable } from '../kernel/database-errors'
import { quote } from '../kernel/errors'
import { giveHint } from '../kernel/events'
import { advancing, type Context, inTransaction, reading } from '../kernel/operation'
import { dayOf } from '../kernel/shapes'
import { measureFor, subjectOf } from '../pre-qc/run'
import type { CheckLine } from '../pre-qc/schema'
import { type CheckedFile, checkedFile } from '../pre-qc/work'
import { askedBy, copyImageKey, copyKey, type RepairRow, stepsOf } from './find'
import type { RepairedCopy } from './port'

type Made = Omit<RepairedCopy, 'sentence'> & {
  sentence: string
  size: number
  sha256: string
  media: Record<string, unknown>
  checks: CheckResult[]
  summary: string
}

/**
 * Makes a repaired copy, checks it like the file it is of, and proposes it. A copy in which something that was to be fixed
 * still fails, or something new does, is not kept: the reason is.
 */
export async function repairFile(ctx: Context, { repair_id }: { repair_id: string }) {
  const [repair] = await ctx.db
    .update(repairs)
    .set({ status: 'running', updatedAt: ctx.now })
    .where(and(eq(repairs.id, repair_id), inArray(repairs.status, ['queued', 'running'])))
    .returning()
  if (!repair) return
  const later = advancing(ctx)
  try {
    const [result] = await ctx.db.select().from(preQcResults).where(eq(preQcResults.id, repair.resultId))
    const checked = result && (await checkedFile(reading(ctx), result))
    if (!checked || checked.file.removedAt) return await finish(later(), repair, 'The file is gone.')
    if (!checked.file.isCurrent) return await finish(later(), repair, 'A newer version has replaced the file.')
    const made = await ctx.ports.blobs.localPath(checked.file.objectKey as BlobKey, (path) =>
      ctx.ports.repairs.repair(
        path,
        { mediaType: checked.file.mediaType, kind: checked.file.kind, steps: stepsOf(repair) },
        (copy) => keep(ctx, repair, checked, result.checks as CheckLine[], copy),
      ),
    )
    await finish(later(), repair, 'failed' in made ? made.failed : made)
  } catch (error) {
    // The queue tries again.
    if (error instanceof StorageUnavailable || isUnavailable(error)) throw error
    log.error({ err: error, repair_id }, 'a file could not be repaired')
    await finish(later(), repair, 'The copy could not be made, for a reason that is in the log of the service.')
  }
}

/** Checks the copy, and stores it where it passes. */
async function keep(
  ctx: Context,
  repair: RepairRow,
  checked: CheckedFile,
  before: readonly CheckLine[],
  copy: Parameters<Parameters<Context['ports']['repairs']['repair']>[2]>[0],
): Promise<Made | { failed: string }> {
  const { blobs } = ctx.ports
  const staged = await blobs.stage()
  try {
    const hash = createHash('sha256')
    await pipeline(
      copy.read(),
      async function* (source) {
        for await (const piece of source) {
          hash.update(piece)
          yield piece
        }
      },
      await staged.writable(),
    )
    const { mediaType, parts, sentence, size } = copy
    const file = { name: repair.name, size, mediaType, kind: checked.file.kind }
    const measured = await measureFor(ctx, checked, staged.path, file)
    const subject = subjectOf(checked, file, measured)
    const { checks, summary } = evaluateOn(subject, checked.settings, dayOf(ctx.now))
    const [destination] = repair.destinationId ? await findDestinations(reading(ctx), [repair.destinationId]) : []
    const asked = destination?.specification
    const failed =
      whyNotProposed(repair, before, checks) ?? (asked ? whyNotForDestination(repair, asked, subject) : null)
    if (failed) return { failed }
    const image = await ctx.ports.files.drawPreviews(staged.path, { kind: file.kind, mediaType })
    if (image.preview) await storeImage(ctx, copyImageKey(repair), image.preview)
    await blobs.commit(staged, copyKey(repair), { replace: true })
    const media = { ...(isFailure(subject.media) ? {} : subject.media), hasPicture: image.preview !== null }
    const said = asked ? askedBy(asked, repair, subject, checks) : checks
    return { mediaType, parts, sentence, size, sha256: hash.digest('hex'), media, checks: said, summary }
  } finally {
    await staged.discard()
  }
}

const isBad = (status: string) => status === 'fail' || status === 'error'

/** Why the copy is no better than the file, as a sentence; null when it is. */
function whyNotProposed(repair: RepairRow, before: readonly CheckLine[], after: readonly CheckResult[]): string | null {
  // What a destination asks is evaluated by that.
  const fixed = repair.destinationId === null ? repair.fixes : []
  for (const { check_id, label, status, details } of after) {
    const was = before.find((line) => line.check_id === check_id)?.status
    if (fixed.includes(check_id) && status !== 'pass' && status !== 'skipped')
      return `A copy was made, and ${quote(label)} still finds something in it: ${details}`
    if (isBad(status) && was !== undefined && !isBad(was) && was !== 'waived')
      return `A copy was made, and ${quote(label)} finds something new in it: ${details}`
  }
  return null
}

function whyNotForDestination(
  repair: RepairRow,
  destination: Specification,
  subject: Parameters<typeof evaluateDestinations>[0],
): string | null {
  const [evaluated] = evaluateDestinations(subject, [destination])
  const left = evaluated?.requirements.find(
    ({ outcome, check_id }) => outcome === 'not_met' && check_id !== null && repair.fixes.includes(check_id),
  )
  return left ? `A copy was made, and it still does not meet ${quote(left.clause)}: ${left.details}` : null
}

/** Writes what became of it: the copy, or the reason why there is none. */
async function finish(ctx: Context, repair: RepairRow, made: Made | string): Promise<void> {
  const isMade = typeof made !== 'string'
  await inTransaction(ctx, async (tx) => {
    const written = await tx.db
      .update(repairs)
      .set({
        status: isMade ? 'proposed' : 'failed',
        updatedAt: tx.now,
        ...(isMade
          ? {
              size: made.size,
              sha256: made.sha256,
              mediaType: made.mediaType,
              media: made.media,
              objectKey: copyKey(repair),
              sentence: made.sentence,
              parts: made.parts,
              checks: made.checks as unknown as Record<string, unknown>[],
              summary: made.summary,
            }
          : { failure: made.slice(0, 1000) }),
      })
      .where(and(eq(repairs.id, repair.id), eq(repairs.status, 'running')))
      .returning({ id: repairs.id })
    if (written.length === 0) return
    if (!isMade) await tx.enqueue('remove_copies', { keys: [copyKey(repair), copyImageKey(repair)] })
    await tx.record({
      type: isMade ? 'repair.proposed' : 'repair.failed',
      projectId: repair.projectId,
      batchId: repair.batchId,
      subjectId: repair.fileId,
      data: isMade
        ? { file: repair.name, changes: made.sentence, sha256: made.sha256 }
        : { file: repair.name, reason: made.slice(0, 1000) },
    })
    await giveHint(tx, 'pre_qc.progress', repair)
  })
}

/** Copies that were taken or refused, or never became any. */
export async function removeCopies(ctx: Context, { keys }: { keys: string[] }) {
  for (const key of keys) await ctx.ports.blobs.delete(key as BlobKey)
}
