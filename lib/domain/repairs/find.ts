import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcMeasurements, preQcResults } from '@/db/schema/pre-qc'
import { repairs } from '@/db/schema/repairs'
import type { Subject } from '@/lib/checks/check'
import type { CheckResult } from '@/lib/checks/engine'
import { linesFor } from '@/lib/destinations/evaluate'
import type { Specification } from '@/lib/destinations/specification'
import { describeSteps, type RepairStep } from '@/lib/repairs/steps'
import type { ResultSummary } from '@/lib/vocabulary'
import { findDestinations } from '../destinations/find'
import type { BlobKey } from '../kernel/blob-store'
import type { Tx } from '../kernel/operation'
import { namesById } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import type { CheckLine } from '../pre-qc/schema'
import type { Repair } from './schema'

export type RepairRow = typeof repairs.$inferSelect
type Said = Pick<CheckLine, 'check_id' | 'label' | 'status' | 'details'>

export const stepsOf = ({ steps }: RepairRow) => steps as unknown as RepairStep[]

/** Where a copy and its image lie: with the file, so that they go when that goes. */
export const copyKey = ({ id, fileId }: Pick<RepairRow, 'id' | 'fileId'>): BlobKey =>
  `derived/${fileId}/repair-${id.replaceAll('-', '')}`
export const copyImageKey = ({ id, fileId }: Pick<RepairRow, 'id' | 'fileId'>): BlobKey =>
  `derived/${fileId}/rp-${id.replaceAll('-', '')}.webp`

/** The newest copy of a file. */
export async function newestRepair(tx: Tx, fileId: string): Promise<RepairRow | null> {
  const [row] = await tx.db.select().from(repairs).where(eq(repairs.fileId, fileId)).orderBy(desc(repairs.id)).limit(1)
  return row ?? null
}

/** The copy of a file that waits for a decision; `lock` holds it. */
export async function proposedRepair(tx: Tx, fileId: string, lock: boolean): Promise<RepairRow | null> {
  const found = tx.db
    .select()
    .from(repairs)
    .where(and(eq(repairs.fileId, fileId), eq(repairs.status, 'proposed')))
  const [row] = lock ? await found.for('update') : await found
  return row ?? null
}

/** What was measured is large, and asked only where a copy is for a destination. */
const MEASURED_FOR_DESTINATION = and(eq(preQcMeasurements.resultId, repairs.resultId), isNotNull(repairs.destinationId))

export type ProposedRepair = Awaited<ReturnType<typeof proposedRepairs>>[number]

/** The copies of these files that wait for a decision, with the checks they were made for. */
export async function proposedRepairs(tx: Tx, fileIds: readonly string[]) {
  const found = await tx.db
    .select({ repair: repairs, before: preQcResults.checks, subject: preQcMeasurements.subject })
    .from(repairs)
    .innerJoin(preQcResults, eq(preQcResults.id, repairs.resultId))
    .leftJoin(preQcMeasurements, MEASURED_FOR_DESTINATION)
    .where(and(inArray(repairs.fileId, [...fileIds]), eq(repairs.status, 'proposed')))
  const ids = found.flatMap(({ repair }) => repair.destinationId ?? [])
  const destinations = ids.length > 0 ? await findDestinations(tx, ids) : []
  return found.map(({ repair, before, subject }) => {
    const destination = destinations.find(
      ({ specification }) => specification.id === repair.destinationId,
    )?.specification
    const said = saidBefore(repair, destination, before, subject)
    return { repair, destination, checks: differences(said, (repair.checks ?? []) as Said[], repair.fixes) }
  })
}

/** What the checks said of the file; where its copy is for a destination, those that are to be fixed by what that asks. */
function saidBefore(
  repair: RepairRow,
  destination: Specification | undefined,
  checks: unknown,
  subject: unknown,
): Said[] {
  const lines = (checks ?? []) as Said[]
  return destination && subject ? askedBy(destination, repair, subject as Subject, lines) : lines
}

/** Lines of checks, of which those that are to be fixed say what the destination of the copy asks. */
export function askedBy<L extends Said>(
  destination: Specification,
  { fixes }: RepairRow,
  subject: Subject,
  lines: readonly L[],
): (CheckResult | L)[] {
  const asked = linesFor(subject, destination, fixes)
  const isAsked = new Set<string>(asked.map(({ check_id }) => check_id))
  return [...asked, ...lines.filter(({ check_id }) => !isAsked.has(check_id))]
}

export async function serializeRepair(tx: Tx, row: RepairRow): Promise<Repair> {
  const [[file], [result], people, [destination]] = [
    await tx.db.select().from(files).where(eq(files.id, row.fileId)),
    await tx.db
      .select({ checks: preQcResults.checks, subject: preQcMeasurements.subject })
      .from(repairs)
      .innerJoin(preQcResults, eq(preQcResults.id, repairs.resultId))
      .leftJoin(preQcMeasurements, MEASURED_FOR_DESTINATION)
      .where(eq(repairs.id, row.id)),
    await namesById(tx, users, [row.requestedBy, row.decidedBy]),
    row.destinationId === null ? [] : await findDestinations(tx, [row.destinationId]),
  ]
  if (!file) throw new Error(`The file of repair ${row.id} vanished while it was read.`)
  const person = (id: string | null) => people.get(id) ?? null
  const isThere = row.objectKey !== null && row.status === 'proposed' && file.previewsRemovedAt === null
  const address = `${tx.ports.baseUrl}/api/projects/${row.projectId}/batches/${row.batchId}/files/${row.fileId}/repair`
  return {
    id: row.id,
    batch_id: row.batchId,
    file_id: row.fileId,
    file_version: file.version,
    result_id: row.resultId,
    destination:
      row.destinationId === null
        ? null
        : { id: row.destinationId, title: destination?.specification.title ?? row.destinationId },
    status: row.status,
    name: row.name,
    changes: row.sentence ?? describeSteps(stepsOf(row)),
    size: row.size,
    sha256: row.sha256,
    summary: row.summary as ResultSummary | null,
    checks: differences(
      saidBefore(row, destination?.specification, result?.checks, result?.subject),
      (row.checks ?? []) as Said[],
      row.fixes,
    ),
    parts: row.parts ?? [],
    preview_url: isThere && row.media?.hasPicture === true ? `${address}/preview` : null,
    download_url: isThere ? `${address}/download` : null,
    failure: row.failure,
    requested_by: person(row.requestedBy),
    decided_by: person(row.decidedBy),
    decided_at: isoOrNull(row.decidedAt),
    comment: row.comment,
    accepted_file_id: row.acceptedId,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  }
}

/** Checks that are to be fixed, and those that say something else of the copy. */
function differences(before: readonly Said[], after: readonly Said[], fixes: readonly string[]): Repair['checks'] {
  const said = (line: Said | undefined) => (line ? { status: line.status, details: line.details } : null)
  const find = (lines: readonly Said[], id: string) => lines.find(({ check_id }) => check_id === id)
  const labels = new Map([...before, ...after].map(({ check_id, label }) => [check_id, label]))
  return [...labels]
    .filter(([id]) => {
      const [was, is] = [find(before, id), find(after, id)]
      // A check that does not apply to the copy, or was not asked of it, says nothing of it.
      return (
        fixes.includes(id) ||
        (is !== undefined && is.status !== 'skipped' && was !== undefined && was.status !== is.status)
      )
    })
    .map(([id, label]) => ({
      check_id: id,
      label,
      before: said(find(before, id)),
      after: said(find(after, id)),
      is_fixed: fixes.includes(id),
    }))
}
