import { and, eq, inArray, sql } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { manifestEntries } from '@/db/schema/projects'
import { knownFactsOf } from '@/lib/checks/known-facts'
import type { MediaFacts } from '@/lib/media/facts'
import type { RejectionReason } from '@/lib/vocabulary'
import type { BatchInProject } from '../batches/find'
import { namesOfVersions } from '../batches/rules'
import type { Tx } from '../kernel/operation'
import { isStorable } from '../kernel/shapes'
import type { Naming } from '../naming/next-version'
import { nameKey } from '../naming/portable-name'
import { validateName } from '../naming/validate-name'
import {
  type BatchRules,
  CHECKS_OF_NAMES,
  type CurrentFile,
  type Expectations,
  NO_CHANGES,
  nameChanges,
  namingOf,
  type SameContent,
} from './rules'

/** What a batch holds, as far as new files are validated by it. */

/** Where a file goes, and the link it comes through. */
export type Place = BatchInProject & { link?: { id: string; maxBytes: number | null } }

type BatchContents = Pick<Expectations, 'batchStatus' | 'current' | 'manifest'>

/** A version of a file, as far as validating a new one needs it. */
type Version = Omit<CurrentFile, 'formerKeys' | 'changes'> & {
  reason: RejectionReason | null
  supersedesId: string | null
  isCurrent: boolean
}

const VERSION = sql.raw('id, name, name_key, version, decision, decision_reason, sha256, supersedes_id, is_current')

/** Written as the index of rejected files is, so that it is found by it. */
const rejectedIn = (batchId: string) => sql`batch_id = ${batchId} and is_current and decision = 'rejected'`

/** All current files of the batch, and its whole manifest. */
export async function heldInAll(tx: Tx, { batch }: BatchInProject, rules: BatchRules): Promise<BatchContents> {
  const manifest = await tx.db
    .select({ key: manifestEntries.nameKey })
    .from(manifestEntries)
    .where(eq(manifestEntries.batchId, batch.id))
  const versions = await tx.db
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
    .where(eq(files.batchId, batch.id))
    .orderBy(files.nameKey)
  return {
    batchStatus: batch.status,
    current: await currentFiles(tx, versions, namingOf(rules)),
    manifest: new Set(manifest.map(({ key }) => key)),
  }
}

/**
 * In one statement, what bears on files of these names: those that have or had one of the names, those that were rejected,
 * and of the manifest these names and one other, so that it is known whether there is one. With the file of the project
 * that has the content.
 */
export async function heldFor(
  tx: Tx,
  { project, batch }: BatchInProject,
  rules: BatchRules,
  names: readonly string[],
  sha256?: string,
): Promise<BatchContents & { sameContent: SameContent | null }> {
  // What the database cannot store is the name of no file in it.
  const keys = sql`array(select json_array_elements_text(${JSON.stringify(names.filter(isStorable).map(nameKey))}::json))`
  const [found] = await tx.db.execute<{
    versions: Version[] | null
    manifest: string[] | null
    same: (Pick<SameContent, 'id' | 'name' | 'version'> & { batchId: string; batchName: string }) | null
  }>(sql`
    with recursive chain as (
      select ${VERSION} from files where batch_id = ${batch.id} and name_key = any(${keys})
      union
      -- Few, as the planner knows: most of those rejected are first versions.
      select ${VERSION} from files where ${rejectedIn(batch.id)} and supersedes_id is not null
      union
      select near.* from chain cross join lateral (
        select ${VERSION} from files where supersedes_id = chain.id
        union all
        select ${VERSION} from files where id = chain.supersedes_id) near),
    bearing as (select * from chain union select ${VERSION} from files where ${rejectedIn(batch.id)})
    select
      (select json_agg(json_build_object('id', id, 'name', name, 'nameKey', name_key, 'version', version,
          'decision', decision, 'reason', decision_reason, 'sha256', sha256, 'supersedesId', supersedes_id,
          'isCurrent', is_current) order by name_key) from bearing) as versions,
      (select json_agg(name_key) from (
        select name_key from manifest_entries where batch_id = ${batch.id} and name_key = any(${keys})
        union
        (select name_key from manifest_entries where batch_id = ${batch.id} limit 1)) entries) as manifest,
      (select json_build_object('id', f.id, 'name', f.name, 'version', f.version, 'batchId', b.id, 'batchName', b.name)
        from files f join batches b on b.id = f.batch_id
        where f.project_id = ${project.id} and f.sha256 = ${sha256 ?? null}
        -- A version that came again under another name is there twice; the current one counts.
        order by f.is_current desc, f.id desc limit 1) as same`)
  const { versions, manifest, same } = found ?? {}
  return {
    batchStatus: batch.status,
    current: await currentFiles(tx, versions ?? [], namingOf(rules)),
    manifest: new Set(manifest),
    sameContent: same
      ? {
          id: same.id,
          name: same.name,
          version: same.version,
          batch: { id: same.batchId, name: same.batchName },
          isSameBatch: same.batchId === batch.id,
        }
      : null,
  }
}

/** Whether nothing is awaited any more: no file is rejected, and all of the manifest came. */
export async function isResupplied(tx: Tx, batchId: string): Promise<boolean> {
  const [row] = await tx.db.execute<{ resupplied: boolean }>(sql`
    select not exists (select from files where ${rejectedIn(batchId)})
      and not exists (select from manifest_entries m where m.batch_id = ${batchId}
        and not exists (select from files f where f.batch_id = m.batch_id and f.name_key = m.name_key)) as resupplied`)
  return row?.resupplied ?? false
}

/** Those of the versions that are current, with the names of their earlier versions, and what may be changed of those rejected. */
async function currentFiles(tx: Tx, versions: readonly Version[], naming: Naming): Promise<CurrentFile[]> {
  const current = namesOfVersions(versions)
  const rejectedIds = current.flatMap(({ file: { id, decision } }) => (decision === 'rejected' ? [id] : []))
  const found = await findingsOnNames(tx, rejectedIds)
  return current.map(({ file: { id, name, nameKey, version, decision, reason, sha256 }, keys }): CurrentFile => {
    const { checks = [], media = null } = found.get(id) ?? {}
    const values = checks.length > 0 ? validateName({ ...naming, name }).values : {}
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
        isTrue(preQcResults.isCurrent),
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
