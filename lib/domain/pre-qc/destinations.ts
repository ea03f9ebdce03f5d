import { and, count, desc, eq, like, type SQL } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { mediaCategories } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { preQcMeasurements, preQcResults } from '@/db/schema/pre-qc'
import type { Subject } from '@/lib/checks/check'
import { evaluateDestinations } from '@/lib/destinations/evaluate'
import type { Specification } from '@/lib/destinations/specification'
import { describeSteps } from '@/lib/repairs/steps'
import { type BatchRow, onBatch } from '../batches/find'
import { type FoundDestination, findDestinations, summariseDestination } from '../destinations/find'
import { BrowseDestinations, DestinationMatrix, FileDestinations, type RequirementResult } from '../destinations/schema'
import { onFile } from '../files/find'
import { query, type Tx } from '../kernel/operation'
import { contains } from '../kernel/shapes'
import { nameKey } from '../naming/portable-name'

/** The destinations a batch names, in its order. A withdrawn one is evaluated as before, and says so. */
async function destinationsOf(tx: Tx, batch: BatchRow): Promise<FoundDestination[]> {
  if (batch.destinations) return findDestinations(tx, batch.destinations)
  const [category] = await tx.db
    .select({ destinations: mediaCategories.destinations })
    .from(mediaCategories)
    .where(eq(mediaCategories.id, batch.mediaCategoryId))
  return findDestinations(tx, category?.destinations ?? [])
}

export const browseDestinations = query({
  name: 'browseDestinations',
  summary: 'The current files of a batch against the destinations it names, by what was measured: any part of the list',
  permission: 'projects.read',
  resource: onBatch,
  input: BrowseDestinations,
  output: DestinationMatrix,
  async run(tx, { resource: { batch }, input }): Promise<DestinationMatrix> {
    const found = await destinationsOf(tx, batch)
    const specifications = found.map(({ specification }) => specification)
    const matching = and(
      eq(files.batchId, batch.id),
      isTrue(files.isCurrent),
      input.q ? like(files.nameKey, contains(nameKey(input.q))) : undefined,
    ) as SQL
    const rows = await measured(tx, matching).orderBy(desc(files.id)).limit(input.limit).offset(input.offset)
    const [counted] = await tx.db.select({ total: count() }).from(files).where(matching)
    return {
      destinations: found.map(summariseDestination),
      files: rows.map((row) =>
        present(row, specifications, ({ outcome }) => outcome === 'not_met' || outcome === 'unknown'),
      ),
      total: counted?.total ?? 0,
    }
  },
})

export const getFileDestinations = query({
  name: 'getFileDestinations',
  summary: 'Where one file may go: its verdict for every destination that was not withdrawn, with every requirement',
  permission: 'projects.read',
  resource: onFile,
  output: FileDestinations,
  async run(tx, { resource: { file } }): Promise<FileDestinations> {
    const found = (await findDestinations(tx)).filter(({ withdrawnAt }) => withdrawnAt === null)
    const [row] = await measured(tx, eq(files.id, file.id))
    if (!row) throw new Error(`File ${file.id} vanished while it was read.`)
    return {
      destinations: found.map(summariseDestination),
      file: present(
        row,
        found.map(({ specification }) => specification),
        () => true,
      ),
    }
  },
})

const measured = (tx: Tx, where: SQL) =>
  tx.db
    .select({
      id: files.id,
      name: files.name,
      kind: files.kind,
      status: preQcResults.status,
      subject: preQcMeasurements.subject,
    })
    .from(files)
    .leftJoin(preQcResults, and(eq(preQcResults.fileId, files.id), isTrue(preQcResults.isCurrent)))
    .leftJoin(preQcMeasurements, eq(preQcMeasurements.resultId, preQcResults.id))
    .where(where)

type Measured = Awaited<ReturnType<typeof measured>>[number]

function present(
  { id, name, kind, status, subject }: Measured,
  specifications: readonly Specification[],
  isShown: (result: RequirementResult) => boolean,
): DestinationMatrix['files'][number] {
  // While it is checked anew, nothing is known of it yet.
  const isMeasured = subject !== null && status === 'completed'
  return {
    id,
    name,
    kind,
    is_measured: isMeasured,
    verdicts: isMeasured
      ? evaluateDestinations(subject as unknown as Subject, specifications).map(({ repair, ...result }) => ({
          ...result,
          requirements: result.requirements.filter(isShown),
          ...(repair && { repair: describeSteps(repair) }),
        }))
      : specifications.map(({ id: destination_id, version }) => ({
          destination_id,
          version,
          verdict: 'unknown' as const,
          requirements: [unmeasured(status)],
        })),
  }
}

const WHY_UNMEASURED = {
  queued: 'The file waits to be checked.',
  running: 'The file is being checked.',
  failed: 'The file could not be checked. Check it again from the batch.',
  completed: 'The file was checked before measurements were kept. Check it again from the batch.',
}

const unmeasured = (status: Measured['status']): RequirementResult => ({
  check_id: null,
  label: 'Measurements',
  level: 'required',
  clause: 'Every destination: the file was measured',
  outcome: 'unknown',
  details: status ? WHY_UNMEASURED[status] : 'The file has not been checked yet. It is when its batch is submitted.',
})
